import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { ANSWER_DEADLINE_MS, RECORDING_MAX_BYTES } from '#contract/limits.ts'
import type { Done } from '#contract/module.ts'
import { NamedQuestions, type QuestionsAnswer } from '#contract/questions.ts'
import {
  type Conversation,
  RECORDING_TYPES,
  SpokenQuestion,
  type SpokenText,
  StopAnswer,
  TurnId,
  type TutorAnswerBody,
  TutorQuestion,
} from '#contract/tutor.ts'
import { openDb } from '#worker/db/db.ts'
import { getModule, getOwnModule } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { readQuestions } from '#worker/domain/questions/read-questions.ts'
import { payForRecording } from '#worker/domain/quota/spend-ai.ts'
import { takeOne } from '#worker/domain/quota/take-quota.ts'
import {
  answerInTime,
  forgetConversation,
  readConversation,
  readTurn,
  resumeAnswer,
  stopAnswer,
  streamAnswer,
} from '#worker/domain/tutor/ask-tutor.ts'
import { indexOf } from '#worker/domain/tutor/load-index.ts'
import { measureQuestion, transcribeQuestion } from '#worker/domain/tutor/transcribe-question.ts'
import { reopenQuestions, settleQuestions } from '#worker/domain/tutor/turn-store.ts'
import { AppError } from '#worker/errors.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { hasRoom, LIMIT_PERIOD_S, quotaDepsOf } from '#worker/http/limits.ts'
import { readBytes, readJson, readParam, readQuery, requireUser } from '#worker/http/request.ts'

/**
 * Lets a question pass while its author, and all people together, are under their limits. The author's limit comes
 * first, so that a person who is over it costs nothing, and the module's after it is known that they may open it.
 * @throws {AppError} rate_limited
 */
export async function limitQuestions(
  { TUTOR_USER_LIMIT, TUTOR_MODULE_LIMIT }: Env,
  userId: string,
  openModule: () => Promise<ModuleRow>,
): Promise<ModuleRow> {
  if (!(await hasRoom(TUTOR_USER_LIMIT, userId))) {
    throw tooMany('You have asked many questions in a short time. Please wait a minute, then ask again.')
  }
  const module = await openModule()
  if (!(await hasRoom(TUTOR_MODULE_LIMIT, module.id))) {
    throw tooMany('Many people are asking about this video right now. Please ask again in a minute.')
  }
  return module
}

function tooMany(message: string): AppError {
  return new AppError('rate_limited', message, { retryAfterS: LIMIT_PERIOD_S })
}

/**
 * Finds the module that a question is about; every person who can open it may ask.
 * @throws {AppError} not_found, rate_limited, quota_reached
 */
async function openQuestion(c: Context<AppEnv>, moduleId: string): Promise<ModuleRow> {
  const { caller } = c.var
  const open = async () => (await getModule(openDb(c.env.DB), caller, moduleId)).module
  const module = await limitQuestions(c.env, caller.userId, open)
  await takeOne(quotaDepsOf(c), 'questions', caller.userId)
  return module
}

const AboutModule = z.object({ moduleId: z.string() })

/** Questions that are spoken. */
export const qaRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .post('/ask', async (c) => {
    const { moduleId, question, ...rest } = await readJson(c, SpokenQuestion)
    const nowMs = Date.now()
    const module = await openQuestion(c, moduleId)
    const turn = readTurn({ ...rest, userMessage: question }, { module, userId: c.var.caller.userId, nowMs })
    return c.json((await answerInTime(c.env.MODULE_ROOM, turn)) satisfies TutorAnswerBody)
  })
  .post('/transcribe', async (c) => {
    const deadline = AbortSignal.timeout(ANSWER_DEADLINE_MS)
    const { moduleId } = readQuery(c, AboutModule)
    const contentType = readType(c.req.header('content-type') ?? '')
    const module = await openQuestion(c, moduleId)
    const audio = new Uint8Array(await readBytes(c, RECORDING_MAX_BYTES))
    if (audio.byteLength === 0) throw new AppError('invalid_request', 'The recording is empty.')
    const durationMs = await measureQuestion({ audio, contentType })
    const speech = await payForRecording(quotaDepsOf(c), module, { speech: c.var.services.speech, durationMs })
    const text = await transcribeQuestion(speech, { audio, contentType, durationMs, module }, deadline)
    return c.json({ success: true, text } satisfies SpokenText)
  })

function readType(header: string) {
  const type = header.split(';')[0]?.trim().toLowerCase()
  const known = RECORDING_TYPES.find((each) => each === type)
  if (known !== undefined) return known
  throw new AppError('unsupported_media_type', `Send the recording as ${RECORDING_TYPES.join(', ')}.`)
}

/** What people ask the tutor, for the owner of the module. */
export const questionRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/:moduleId', async (c) => {
    const module = await getOwnModule(openDb(c.env.DB), c.var.caller, c.req.param('moduleId'))
    return c.json((await readQuestions(c.env.DB, module.id)) satisfies QuestionsAnswer)
  })
  .post('/:moduleId/settle', async (c) => {
    const { id: moduleId } = await getOwnModule(openDb(c.env.DB), c.var.caller, c.req.param('moduleId'))
    const { ids } = await readJson(c, NamedQuestions)
    await settleQuestions(c.env.DB, { moduleId, ids, nowMs: Date.now() })
    return c.json({ success: true } satisfies Done)
  })
  .post('/:moduleId/reopen', async (c) => {
    const { id: moduleId } = await getOwnModule(openDb(c.env.DB), c.var.caller, c.req.param('moduleId'))
    const { ids } = await readJson(c, NamedQuestions)
    await reopenQuestions(c.env.DB, { moduleId, ids })
    return c.json({ success: true } satisfies Done)
  })

/** The tutor's chat, for callers who can open the module. */
export const tutorRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .post('/contextual-response', async (c) => {
    const turn = await readQuestion(c)
    return c.json((await answerInTime(c.env.MODULE_ROOM, turn)) satisfies TutorAnswerBody)
  })
  .post('/contextual-response/stream', async (c) => {
    const turn = await readQuestion(c)
    return answerStream(await streamAnswer(c.env.MODULE_ROOM, turn))
  })
  .post('/contextual-response/stop', async (c) => {
    const { moduleId, turnId } = await readJson(c, StopAnswer)
    await stopAnswer(openDeps(c.env), { ...(await findSpeakers(c, moduleId)), turnId })
    return c.json({ success: true } satisfies Done)
  })
  .get('/contextual-response/stream/:moduleId/:turnId', async (c) => {
    const turnId = readParam(c, 'turnId', TurnId)
    const { module } = await getModule(openDb(c.env.DB), c.var.caller, c.req.param('moduleId'))
    const key = { moduleId: module.id, userId: c.var.caller.userId, turnId }
    const stream = await resumeAnswer(openDeps(c.env), key, indexOf(module))
    if (stream === null) throw new AppError('not_found', 'This answer is not being given any more.')
    return answerStream(stream)
  })
  .get('/conversation/:moduleId', async (c) => {
    const messages = await readConversation(openDeps(c.env), await findSpeakers(c, c.req.param('moduleId')))
    return c.json({ success: true, messages } satisfies Conversation)
  })
  .delete('/conversation/:moduleId', async (c) => {
    await forgetConversation(openDeps(c.env), await findSpeakers(c, c.req.param('moduleId')))
    return c.json({ success: true } satisfies Done)
  })

async function readQuestion(c: Context<AppEnv>) {
  const { moduleId, ...asked } = await readJson(c, TutorQuestion)
  const nowMs = Date.now()
  return readTurn(asked, { module: await openQuestion(c, moduleId), userId: c.var.caller.userId, nowMs })
}

async function findSpeakers(c: Context<AppEnv>, moduleId: string) {
  const { module } = await getModule(openDb(c.env.DB), c.var.caller, moduleId)
  return { moduleId: module.id, userId: c.var.caller.userId }
}

function openDeps(env: Env) {
  return { db: openDb(env.DB), d1: env.DB, rooms: env.MODULE_ROOM, nowMs: () => Date.now() }
}

function answerStream(stream: ReadableStream<Uint8Array>): Response {
  return new Response(stream, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } })
}
