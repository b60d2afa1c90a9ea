import { type Context, Hono } from 'hono'
import { CAPTIONS_MAX_BYTES, REWRITE_DEADLINE_MS } from '#contract/limits.ts'
import type { Done } from '#contract/module.ts'
import {
  DecideProposal,
  DecideProposals,
  type ProposalsAnswer,
  SaveSteps,
  StepId,
  type StepsAnswer,
} from '#contract/step.ts'
import { type RewriteAnswer, RewriteRequest } from '#contract/step-editing.ts'
import {
  CAPTION_TYPES,
  type CaptionsAnswer,
  type CorrectionAnswer,
  CorrectSegment,
  CorrectTranscript,
  SegmentId,
  type TranscriptAnswer,
} from '#contract/transcript.ts'
import { type Db, openDb } from '#worker/db/db.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import { getModule, getOwnModule } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { paidTextRewriter } from '#worker/domain/quota/spend-ai.ts'
import { extractiveTextRewriter } from '#worker/domain/rewrite/extractive-text-rewriter.ts'
import { rewriteText } from '#worker/domain/rewrite/rewrite-text.ts'
import { addCaptions } from '#worker/domain/run/reprocess-module.ts'
import { openRunDeps } from '#worker/domain/run/run-deps.ts'
import { forgetShareSoon } from '#worker/domain/share/forget-share.ts'
import { correctTranscript, readOrphanedCorrections } from '#worker/domain/step/correct-transcript.ts'
import { readSteps } from '#worker/domain/step/read-steps.ts'
import { decideProposals, readProposals, saveSteps } from '#worker/domain/step/save-steps.ts'
import { listSegments, presentSegment, removeOrphanedCorrections } from '#worker/domain/transcript/transcript-store.ts'
import { AppError } from '#worker/errors.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { quotaDepsOf } from '#worker/http/limits.ts'
import { readBytes, readJson, readParam, requireUser } from '#worker/http/request.ts'
import type { TextRewriter } from '#worker/ports/language-model.ts'

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

export const stepRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/:moduleId', async (c) => {
    const db = openDb(c.env.DB)
    const { module, role } = await getModule(db, c.var.caller, c.req.param('moduleId'))
    return c.json((await readSteps(db, module, role)) satisfies StepsAnswer)
  })
  .get('/:moduleId/proposals', async (c) => {
    const db = openDb(c.env.DB)
    const module = await getOwnModule(db, c.var.caller, c.req.param('moduleId'))
    return c.json((await readProposals(db, module)) satisfies ProposalsAnswer)
  })
  .post('/:moduleId/proposals', async (c) => {
    const { ids, decision } = await readJson(c, DecideProposals)
    return c.json((await decide(c, ids, decision)) satisfies StepsAnswer)
  })
  .post('/:moduleId/proposals/:stepId', async (c) => {
    const stepId = readParam(c, 'stepId', StepId)
    const { decision } = await readJson(c, DecideProposal)
    return c.json((await decide(c, [stepId], decision)) satisfies StepsAnswer)
  })
  .post('/:moduleId/rewrite', async (c) => {
    const deadline = AbortSignal.timeout(REWRITE_DEADLINE_MS)
    const request = await readJson(c, RewriteRequest)
    const module = await getOwnModule(openDb(c.env.DB), c.var.caller, c.req.param('moduleId'))
    const text = await rewriteText(openRewriter(c, module), request, deadline)
    return c.json({ success: true, text } satisfies RewriteAnswer)
  })
  .post('/:moduleId', async (c) => {
    const request = await readJson(c, SaveSteps)
    return c.json(
      await save({ env: c.env, db: openDb(c.env.DB), caller: c.var.caller }, c.req.param('moduleId'), request),
    )
  })
  .delete('/:moduleId', async (c) => {
    const deps = { env: c.env, db: openDb(c.env.DB), caller: c.var.caller }
    return c.json(await save(deps, c.req.param('moduleId'), { steps: [] }))
  })

/** The extractive rewriter costs nothing. */
function openRewriter(c: Context<AppEnv>, module: ModuleRow): TextRewriter {
  const { textRewriter } = c.var.services
  return textRewriter === extractiveTextRewriter ? textRewriter : paidTextRewriter(quotaDepsOf(c), module, textRewriter)
}

async function decide(
  c: Context<AppEnv, '/:moduleId/proposals'>,
  ids: readonly string[],
  decision: DecideProposal['decision'],
): Promise<StepsAnswer> {
  const deps = openRunDeps(c.env)
  const module = await getOwnModule(deps.db, c.var.caller, c.req.param('moduleId'))
  const answer = await decideProposals(deps, module, { ids, decision })
  await publishModule(deps, module.id)
  await forgetShareSoon({ purges: c.env.PURGE_QUEUE }, module.id)
  return answer
}

async function save(
  deps: { env: Env; db: Db; caller: AppEnv['Variables']['caller'] },
  moduleId: string,
  request: SaveSteps,
): Promise<StepsAnswer> {
  const module = await getOwnModule(deps.db, deps.caller, moduleId)
  const answer = await saveSteps({ db: deps.db, d1: deps.env.DB, nowMs: Date.now() }, module, request)
  await publishModule({ db: deps.db, rooms: deps.env.MODULE_ROOM }, module.id)
  await forgetShareSoon({ purges: deps.env.PURGE_QUEUE }, module.id)
  return answer
}
