import { type Context, Hono } from 'hono'
import type { Done } from '#contract/module.ts'
import { type Conversation, StopAnswer, TurnId, type TutorAnswerBody, TutorQuestion } from '#contract/tutor.ts'
import { openDb } from '#worker/db/db.ts'
import { getModule } from '#worker/domain/module/get-module.ts'
import { answerInTime, readTurn, streamAnswer } from '#worker/domain/tutor/ask-tutor.ts'
import { forgetConversation, readConversation, resumeAnswer, stopAnswer } from '#worker/domain/tutor/conversation.ts'
import { indexOf } from '#worker/domain/tutor/load-index.ts'
import { AppError } from '#worker/errors.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { openQuestion } from '#worker/http/open-question.ts'
import { readJson } from '#worker/http/read-body.ts'
import { readParam } from '#worker/http/read-param.ts'
import { requireUser } from '#worker/http/require-user.ts'

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
