import { type Context, Hono } from 'hono'
import { NamedQuestions } from '#contract/feedback/questions.ts'
import { ANSWER_DEADLINE_MS, RECORDING_MAX_BYTES } from '#contract/limits.ts'
import {
  type CollectionAnswerBody,
  CollectionQuestion,
  type Conversation,
  LinkQuestion,
  RECORDING_TYPES,
  SpokenQuestion,
  SpokenRequest,
  type SpokenText,
  StopAnswer,
  TurnId,
  TutorQuestion,
} from '#contract/tutor.ts'
import { AppError } from '#worker/core/errors.ts'
import { getSharedCollection, readShared } from '#worker/domain/collection/collection.ts'
import { answerCollection } from '#worker/domain/found/answer-collection.ts'
import { writeAnswer } from '#worker/domain/found/write-found.ts'
import { roomOf } from '#worker/domain/live/publish.ts'
import { getModule, getOwnModule, getSharedModule } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { readQuestions } from '#worker/domain/questions/read-questions.ts'
import { payForRecording } from '#worker/domain/quota/spend-ai.ts'
import { takeOne } from '#worker/domain/quota/take-quota.ts'
import { readSpokenWords } from '#worker/domain/translation/glossary-store.ts'
import { indexOf } from '#worker/domain/tutor/answer-turn.ts'
import {
  answerInTime,
  forgetConversation,
  readConversation,
  readLinkTurn,
  readTurn,
  resumeAnswer,
  stopAnswer,
} from '#worker/domain/tutor/ask-tutor.ts'
import { measureQuestion, transcribeQuestion } from '#worker/domain/tutor/transcribe-question.ts'
import { settleQuestions } from '#worker/domain/tutor/turn-store.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { checkRateLimit, limitAsking, MANY_ASK, QUESTIONS_PERIOD_S } from '#worker/http/limits.ts'
import { networkOf, siteOf } from '#worker/http/network-of.ts'
import {
  answerDone,
  getOpen,
  getOwn,
  readBytes,
  readJson,
  readParam,
  readQuery,
  readType,
  requireUser,
} from '#worker/http/request.ts'
import { chooseInterface } from '#worker/http/visitor-language.ts'

/** A question searches the whole transcript: one of a day of captions takes as long as thirty of an hour of speech. */
const SEGMENTS_PER_COUNT = 500

const ASKS_OFTEN = 'You have asked many questions in a short time. Please wait a minute, then ask again.'
const SPEAKS_OFTEN = 'You have dictated many answers in a short time. Please wait a minute, or type.'

/**
 * Lets a question pass while its author, and all people together, are under their limits. The author's limit comes
 * first, so that a person who is over it costs nothing, and the module's after it is known that they may open it.
 * @throws {AppError} rate_limited
 */
export async function limitQuestions<Opened extends { module: ModuleRow }>(
  { TUTOR_USER_LIMIT, TUTOR_MODULE_LIMIT }: Env,
  userId: string,
  openModule: () => Promise<Opened>,
): Promise<Opened> {
  await checkRateLimit(TUTOR_USER_LIMIT, userId, ASKS_OFTEN)
  const opened = await openModule()
  const { module } = opened
  await countQuestion(TUTOR_MODULE_LIMIT, { module, key: module.id })
  return opened
}

async function countQuestion(limiter: RateLimit, { module, key }: { module: ModuleRow; key: string | null }) {
  for (let counted = 0; counted <= module.segmentCount; counted += SEGMENTS_PER_COUNT)
    await checkRateLimit(limiter, key, MANY_ASK, QUESTIONS_PERIOD_S)
}

/** Has a model answer about a collection, for people with its link. */
async function askCollection(c: Context<AppEnv>): Promise<Response> {
  const { context } = c.var
  const row = await getSharedCollection(context.db, c.req.param('collectionId') ?? '')
  const { question } = await readJson(c, CollectionQuestion)
  await limitAsking(c, row.id)
  await checkRateLimit(c.env.TUTOR_MODULE_LIMIT, row.id, MANY_ASK, QUESTIONS_PERIOD_S)
  const tag = chooseInterface(c)
  const shared = await readShared(context, row)
  const answer = await answerCollection(context, row, { shared, question, tag })
  const html = answer && writeAnswer(answer, { collectionId: row.id, tag })
  return c.json({ success: true, html } satisfies CollectionAnswerBody)
}

/** Questions of people with the link, where the owner lets them ask. */
export const linkQuestionRoutes = new Hono<AppEnv>().post('/c/:collectionId/questions', askCollection)
linkQuestionRoutes.post('/:moduleId/questions', async (c) => {
  const { context } = c.var
  const module = await getSharedModule(context, c.req.param('moduleId'))
  const question = await readJson(c, LinkQuestion)
  const turn = readLinkTurn(question, { module, nowMs: context.nowMs() })
  const address = c.req.header('cf-connecting-ip')
  const [network, site] = [networkOf(address), siteOf(address)]
  // The address is counted first, so that a single visitor does not use up the module's limit.
  await countQuestion(c.env.LINK_QUESTION_LIMIT, { module, key: network && `${module.id}:${network}` })
  await countQuestion(c.env.LINK_QUESTION_SITE_LIMIT, { module, key: site && `${module.id}:${site}` })
  await countQuestion(c.env.TUTOR_MODULE_LIMIT, { module, key: module.id })
  return c.json(await answerInTime(context, turn))
})

/**
 * Finds the module that a question is about; every person who can open it may ask.
 * @throws {AppError} not_found, rate_limited, quota_reached
 */
async function openQuestion(c: Context<AppEnv>, moduleId: string) {
  const { caller, context } = c.var
  const opened = await limitQuestions(c.env, caller.userId, () => getModule(context, caller, moduleId))
  await takeOne(context, 'questions', caller.userId)
  return opened
}

/**
 * Finds the module that its trainer dictates an answer about. It is none of the questions of a day or of a minute.
 * @throws {AppError} not_found, rate_limited
 */
async function openAnswer(c: Context<AppEnv>, moduleId: string): Promise<ModuleRow> {
  const { caller, context } = c.var
  await checkRateLimit(c.env.TUTOR_USER_LIMIT, `answer:${caller.userId}`, SPEAKS_OFTEN)
  return getOwnModule(context.db, caller, moduleId)
}

/** Questions, and answers of trainers, that are spoken. */
export const qaRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .post('/ask', async (c) => {
    const { question: userMessage, ...rest } = await readJson(c, SpokenQuestion)
    const turn = await openTurn(c, { ...rest, userMessage })
    return c.json(await answerInTime(c.var.context, turn))
  })
  .post('/transcribe', async (c) => {
    const deadline = AbortSignal.timeout(ANSWER_DEADLINE_MS)
    const { moduleId, language, purpose } = readQuery(c, SpokenRequest)
    const contentType = readType(c, RECORDING_TYPES, `Send the recording as ${RECORDING_TYPES.join(', ')}.`)
    const module = purpose === 'answer' ? await openAnswer(c, moduleId) : (await openQuestion(c, moduleId)).module
    const audio = new Uint8Array(await readBytes(c, RECORDING_MAX_BYTES))
    if (audio.byteLength === 0) throw new AppError('invalid_request', 'The recording is empty.')
    const durationMs = await measureQuestion({ audio, contentType })
    const { caller, context } = c.var
    const { speech } = context.services
    const paidSpeech = await payForRecording(context, module, { caller, speech, durationMs, purpose })
    const glossary = await readSpokenWords(context.db, module)
    const recording = { audio, contentType, durationMs, language: language ?? module.language, glossary }
    const spoken = await transcribeQuestion(paidSpeech, recording, deadline)
    return c.json({ success: true, ...spoken } satisfies SpokenText)
  })

/** What people ask the tutor, for the owner of the module. */
export const questionRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/:moduleId', async (c) => {
    const module = await getOwn(c)
    return c.json(await readQuestions(c.var.context, module, c.var.caller.userId))
  })
  .post('/:moduleId/settle', async (c) => {
    const { d1, nowMs } = c.var.context
    await settleQuestions(d1, { ...(await readNamed(c)), settledAt: nowMs() })
    return answerDone(c)
  })
  .post('/:moduleId/reopen', async (c) => {
    await settleQuestions(c.var.context.d1, { ...(await readNamed(c)), settledAt: null })
    return answerDone(c)
  })

async function readNamed(c: Context<AppEnv>) {
  const { id: moduleId } = await getOwn(c)
  return { moduleId, ids: (await readJson(c, NamedQuestions)).ids }
}

/** The tutor's chat, for callers who can open the module. */
export const tutorRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .post('/contextual-response', async (c) => {
    const turn = await openTurn(c, await readJson(c, TutorQuestion))
    return c.json(await answerInTime(c.var.context, turn))
  })
  .post('/contextual-response/stream', async (c) => {
    const turn = await openTurn(c, await readJson(c, TutorQuestion))
    return answerStream(await roomOf(c.var.context, turn.moduleId).streamAnswer(turn))
  })
  .post('/contextual-response/stop', async (c) => {
    const { moduleId, turnId } = await readJson(c, StopAnswer)
    await stopAnswer(c.var.context, { ...(await findSpeakers(c, moduleId)), turnId })
    return answerDone(c)
  })
  .get('/contextual-response/stream/:moduleId/:turnId', async (c) => {
    const turnId = readParam(c, 'turnId', TurnId)
    const { module, role } = await getOpen(c)
    const key = { moduleId: module.id, userId: c.var.caller.userId, turnId }
    const stream = await resumeAnswer(c.var.context, key, indexOf(module, role))
    if (stream === null) throw new AppError('not_found', 'This answer is not being given any more.')
    return answerStream(stream)
  })
  .get('/conversation/:moduleId', async (c) => {
    const messages = await readConversation(c.var.context, await findSpeakers(c, c.req.param('moduleId')))
    return c.json({ success: true, messages } satisfies Conversation)
  })
  .delete('/conversation/:moduleId', async (c) => {
    await forgetConversation(c.var.context, await findSpeakers(c, c.req.param('moduleId')))
    return answerDone(c)
  })

async function openTurn(c: Context<AppEnv>, { moduleId, ...question }: TutorQuestion) {
  const nowMs = c.var.context.nowMs()
  return readTurn(question, { ...(await openQuestion(c, moduleId)), userId: c.var.caller.userId, nowMs })
}

async function findSpeakers(c: Context<AppEnv>, moduleId: string) {
  const { module } = await getModule(c.var.context, c.var.caller, moduleId)
  return { moduleId: module.id, userId: c.var.caller.userId }
}

function answerStream(stream: ReadableStream<Uint8Array>): Response {
  return new Response(stream, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } })
}
