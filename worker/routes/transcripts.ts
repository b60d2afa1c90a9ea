import { type Context, Hono } from 'hono'
import { CAPTIONS_MAX_BYTES } from '#contract/limits.ts'
import type { Done } from '#contract/module.ts'
import {
  CAPTION_TYPES,
  type CaptionsAnswer,
  type CorrectionAnswer,
  CorrectSegment,
  CorrectTranscript,
  SegmentId,
  type TranscriptAnswer,
} from '#contract/transcript.ts'
import { openDb } from '#worker/db/db.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import { getModule, getOwnModule } from '#worker/domain/module/get-module.ts'
import { addCaptions } from '#worker/domain/run/add-captions.ts'
import { openRunDeps } from '#worker/domain/run/run-deps.ts'
import { correctTranscript, readOrphanedCorrections } from '#worker/domain/step/correct-transcript.ts'
import { removeOrphanedCorrections } from '#worker/domain/transcript/correction-store.ts'
import { listSegments, presentSegment } from '#worker/domain/transcript/transcript-store.ts'
import { AppError } from '#worker/errors.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { readBytes, readJson } from '#worker/http/read-body.ts'
import { readParam } from '#worker/http/read-param.ts'
import { requireUser } from '#worker/http/require-user.ts'

export const transcriptRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/:moduleId', async (c) => {
    const db = openDb(c.env.DB)
    const { module, role } = await getModule(db, c.var.caller, c.req.param('moduleId'))
    const segments = (await listSegments(db, module.id)).map(presentSegment)
    const orphaned = role === 'owner' ? await readOrphanedCorrections(c.env.DB, module) : []
    const { transcriptSource: source, language } = module
    return c.json({ success: true, source, language, segments, orphaned } satisfies TranscriptAnswer)
  })
  .patch('/:moduleId', async (c) => c.json(await correct(c, await readJson(c, CorrectTranscript))))
  .patch('/:moduleId/:segmentId', async (c) => {
    const id = readParam(c, 'segmentId', SegmentId)
    const { glossary, ...edit } = await readJson(c, CorrectSegment)
    return c.json(await correct(c, { edits: [{ ...edit, id }], glossary }))
  })
  .delete('/:moduleId/orphaned', async (c) => {
    const module = await getOwnModule(openDb(c.env.DB), c.var.caller, c.req.param('moduleId'))
    await removeOrphanedCorrections(c.env.DB, module.id)
    return c.json({ success: true } satisfies Done)
  })

async function correct(c: Context<AppEnv, '/:moduleId'>, request: CorrectTranscript): Promise<CorrectionAnswer> {
  const deps = openRunDeps(c.env)
  const module = await getOwnModule(deps.db, c.var.caller, c.req.param('moduleId'))
  const answer = await correctTranscript(deps, module, request)
  await publishModule(deps, module.id)
  return answer
}

export const captionRoutes = new Hono<AppEnv>().use(requireUser).put('/:moduleId', async (c) => {
  const db = openDb(c.env.DB)
  const module = await getOwnModule(db, c.var.caller, c.req.param('moduleId'))
  const type = (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (!CAPTION_TYPES.some((known) => known === type)) {
    throw new AppError('unsupported_media_type', 'Send captions as text/vtt (.vtt) or application/x-subrip (.srt).')
  }
  const bytes = await readBytes(c, CAPTIONS_MAX_BYTES)
  const deps = openRunDeps(c.env)
  const cues = await addCaptions(deps, module, bytes)
  await publishModule(deps, module.id)
  return c.json({ success: true, cues } satisfies CaptionsAnswer)
})
