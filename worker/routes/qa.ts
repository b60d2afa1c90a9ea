import { Hono } from 'hono'
import { z } from 'zod'
import { ANSWER_DEADLINE_MS, RECORDING_MAX_BYTES } from '#contract/limits.ts'
import { RECORDING_TYPES, SpokenQuestion, type SpokenText, type TutorAnswerBody } from '#contract/tutor.ts'
import { payForRecording } from '#worker/domain/quota/spend-ai.ts'
import { answerInTime, readTurn } from '#worker/domain/tutor/ask-tutor.ts'
import { measureQuestion, transcribeQuestion } from '#worker/domain/tutor/transcribe-question.ts'
import { AppError } from '#worker/errors.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { openQuestion } from '#worker/http/open-question.ts'
import { quotaDepsOf } from '#worker/http/quota-deps.ts'
import { readBytes, readJson } from '#worker/http/read-body.ts'
import { readQuery } from '#worker/http/read-query.ts'
import { requireUser } from '#worker/http/require-user.ts'

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
