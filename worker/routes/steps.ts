import { type Context, Hono } from 'hono'
import { SaveCuts } from '#contract/cuts.ts'
import { CAPTIONS_MAX_BYTES, REWRITE_DEADLINE_MS } from '#contract/limits.ts'
import { DecideProposal, DecideProposals, OfferScenes, SaveSteps, StepId, type StepsAnswer } from '#contract/step.ts'
import { type RewriteAnswer, RewriteRequest } from '#contract/step-editing.ts'
import type { RemovedStepsAnswer } from '#contract/training/removed-step.ts'
import {
  CaptionPreviewQuery,
  type CaptionsAnswer,
  CaptionsQuery,
  type CorrectionAnswer,
  CorrectSegment,
  CorrectTranscript,
  SENT_CAPTION_TYPES,
  SegmentId,
  type TranscriptAnswer,
} from '#contract/transcript.ts'
import { updateUsedImages } from '#worker/domain/image/image-store.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { paidTextRewriter } from '#worker/domain/quota/spend-ai.ts'
import { extractiveTextRewriter } from '#worker/domain/rewrite/extractive-text-rewriter.ts'
import { rewriteText } from '#worker/domain/rewrite/rewrite-text.ts'
import { offerScenes } from '#worker/domain/run/offer-scenes.ts'
import { addCaptions, previewCaptions } from '#worker/domain/run/reprocess-module.ts'
import { suggestTitles } from '#worker/domain/screen/title-scenes.ts'
import { forgetShareSoon } from '#worker/domain/share/forget-share.ts'
import { correctTranscript } from '#worker/domain/step/correct-transcript.ts'
import { listRemoved, restoreStep } from '#worker/domain/step/removed-store.ts'
import { saveCuts } from '#worker/domain/step/save-cuts.ts'
import { decideProposals, readProposals, saveSteps } from '#worker/domain/step/save-steps.ts'
import { readCaptionFile } from '#worker/domain/transcript/read-caption-file.ts'
import { readTranscript, removeCorrections } from '#worker/domain/transcript/transcript-store.ts'
import { requestTranslations } from '#worker/domain/translation/request-translations.ts'
import { readStepsFor, readTranscriptFor } from '#worker/domain/version/learner-view.ts'
import { recordEditor } from '#worker/domain/version/review-store.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import {
  answerDone,
  getEdited,
  getOpen,
  getOwn,
  readBytes,
  readJson,
  readParam,
  readQuery,
  readType,
  requireUser,
} from '#worker/http/request.ts'

export const transcriptRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/:moduleId', async (c) => {
    const { module, role } = await getOpen(c)
    return c.json((await readTranscriptFor(c.var.context, module, role)) satisfies TranscriptAnswer)
  })
  .patch('/:moduleId', async (c) => c.json(await correct(c, await readJson(c, CorrectTranscript))))
  .patch('/:moduleId/:segmentId', async (c) => {
    const id = readParam(c, 'segmentId', SegmentId)
    const { glossary, ...edit } = await readJson(c, CorrectSegment)
    return c.json(await correct(c, { edits: [{ ...edit, id }], glossary }))
  })
  .delete('/:moduleId/orphaned', async (c) => {
    const module = await getOwn(c)
    const { orphaned } = await readTranscript(c.var.context, module)
    await removeCorrections(c.var.context.d1, module, orphaned)
    return answerDone(c)
  })

async function correct(c: Context<AppEnv>, request: CorrectTranscript): Promise<CorrectionAnswer> {
  const module = await getOwn(c)
  const answer = await correctTranscript(c.var.context, module, request)
  await recordEditor(c.var.context.d1, module.id, c.var.caller.userId)
  await publishModule(c.var.context, module.id)
  await requestTranslations(c.var.context, module)
  return answer
}

export const captionRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .post('/', async (c) => {
    const { durationMs = null, ...choices } = readQuery(c, CaptionPreviewQuery)
    const { report } = readCaptionFile(await readCaptionBytes(c), choices, { durationMs, speech: [] })
    return c.json({ success: true, ...report } satisfies CaptionsAnswer)
  })
  .post('/:moduleId', async (c) => {
    const module = await getOwn(c)
    const choices = readQuery(c, CaptionsQuery)
    const report = await previewCaptions(c.var.context, module, await readCaptionBytes(c), choices)
    return c.json({ success: true, ...report } satisfies CaptionsAnswer)
  })
  .put('/:moduleId', async (c) => {
    const module = await getOwn(c)
    const choices = readQuery(c, CaptionsQuery)
    const report = await addCaptions(c.var.context, module, await readCaptionBytes(c), choices)
    await recordEditor(c.var.context.d1, module.id, c.var.caller.userId)
    await publishModule(c.var.context, module.id)
    return c.json({ success: true, ...report } satisfies CaptionsAnswer)
  })

function readCaptionBytes(c: Context<AppEnv>): Promise<Uint8Array> {
  readType(c, SENT_CAPTION_TYPES, `Send captions as ${SENT_CAPTION_TYPES.join(', ')}.`)
  return readBytes(c, CAPTIONS_MAX_BYTES)
}

export const stepRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/:moduleId', async (c) => {
    const { module, role } = await getOpen(c)
    return c.json(await readStepsFor(c.var.context, module, role))
  })
  .get('/:moduleId/proposals', async (c) => {
    const module = await getEdited(c)
    const answer = await readProposals(c.var.context.db, module)
    return c.json(await suggestTitles(c.var.context, module, answer))
  })
  .put('/:moduleId/proposals', async (c) => {
    const request = await readJson(c, OfferScenes)
    const module = await getOwn(c)
    const answer = await offerScenes(c.var.context, module, request)
    await updateUsedImages(c.var.context.d1, module.id, c.var.context.nowMs())
    return c.json(await suggestTitles(c.var.context, module, answer))
  })
  .post('/:moduleId/proposals', async (c) => {
    return decide(c, await readJson(c, DecideProposals))
  })
  .post('/:moduleId/proposals/:stepId', async (c) => {
    const stepId = readParam(c, 'stepId', StepId)
    const { decision } = await readJson(c, DecideProposal)
    return decide(c, { ids: [stepId], decision })
  })
  .post('/:moduleId/rewrite', async (c) => {
    const deadline = AbortSignal.timeout(REWRITE_DEADLINE_MS)
    const request = await readJson(c, RewriteRequest)
    const module = await getEdited(c)
    const { textRewriter } = c.var.context.services
    // The extractive rewriter costs nothing, so it uses no quota.
    const isFree = textRewriter === extractiveTextRewriter
    const rewriter = isFree ? textRewriter : paidTextRewriter(c.var.context, module, textRewriter)
    const text = await rewriteText(rewriter, request, deadline)
    return c.json({ success: true, text } satisfies RewriteAnswer)
  })
  .get('/:moduleId/removed', async (c) => {
    const module = await getEdited(c)
    return c.json((await listRemoved(c.var.context, module.id)) satisfies RemovedStepsAnswer)
  })
  .post('/:moduleId/removed/:stepId', (c) => {
    const stepId = readParam(c, 'stepId', StepId)
    return edit(c, (module) => restoreStep(c.var.context, module, stepId))
  })
  .put('/:moduleId/cuts', async (c) => {
    const request = await readJson(c, SaveCuts)
    return edit(c, (module) => saveCuts(c.var.context, module, request), getOwn)
  })
  .post('/:moduleId', async (c) => {
    const request = await readJson(c, SaveSteps)
    return edit(c, (module) => saveSteps(c.var.context, module, request))
  })
  .delete('/:moduleId', (c) => edit(c, (module) => saveSteps(c.var.context, module, { steps: [] })))

/** Decides on proposals: a rejected one leaves the steps as they are. */
function decide(c: Context<AppEnv>, request: DecideProposals): Promise<Response> {
  const how = request.decision === 'reject' ? change : edit
  return how(c, (module) => decideProposals(c.var.context, module, request))
}

type Save = (module: ModuleRow) => Promise<StepsAnswer>

/** Changes steps; the caller is the last editor of the training from then on. */
function edit(c: Context<AppEnv>, save: Save, find = getEdited): Promise<Response> {
  const saveAndRecord: Save = async (module) => {
    const answer = await save(module)
    await recordEditor(c.var.context.d1, module.id, c.var.caller.userId)
    return answer
  }
  return change(c, saveAndRecord, find)
}

/** Changes steps or proposals, and notifies watchers, and soon the pages of anyone with the link. */
async function change(c: Context<AppEnv>, save: Save, find = getEdited): Promise<Response> {
  const module = await find(c)
  const answer = await save(module)
  await updateUsedImages(c.var.context.d1, module.id, c.var.context.nowMs())
  await publishModule(c.var.context, module.id)
  await forgetShareSoon(c.var.context, module.id)
  await requestTranslations(c.var.context, module)
  return c.json(answer)
}
