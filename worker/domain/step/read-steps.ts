import { type ModuleRole, seesDraft } from '#contract/module.ts'
import { BLANK_STEP, type SharedStep, type Step, type StepsAnswer } from '#contract/step.ts'
import { type Cuts, listVisibleSteps } from '#contract/time/visible-time.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { videoMarkOf } from '#worker/domain/module/video-id.ts'
import { readTranscript, sourceOf } from '#worker/domain/transcript/transcript-store.ts'
import { listVisibleCommands, listVisibleSegments } from '#worker/domain/visible-rows.ts'
import { listShownSteps, type ShownStepRow } from './step-store.ts'
import type { ProposalRow, StepToStore } from './tidy-section.ts'

type PresentedRow = Omit<StepToStore, 'editedAt'> & Partial<Pick<ShownStepRow, 'ownImage' | 'videoMark'>>
/** Whether a module has an image that stands for all of it, and in for those that steps do not have yet. */
type HasPoster = Pick<ModuleRow, 'hasPoster'>

/** A step as the wire shows it to a caller of this role. */
export function presentStep(row: PresentedRow, role: ModuleRole, module?: HasPoster): Step {
  const owned = seesDraft(role)
  const image = findShown(row, module)
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    start: row.startMs / 1000,
    end: row.endMs / 1000,
    duration: (row.endMs - row.startMs) / 1000,
    aliases: row.aliases,
    notes: owned ? row.notes : '',
    notesQuotable: owned && row.notesQuotable,
    notesEdited: owned && row.notesEdited,
    isManual: row.isManual,
    originalText: owned ? row.originalText : '',
    aiRewrite: owned ? row.aiRewrite : null,
    beforeRewrite: owned ? row.beforeRewrite : null,
    isDraft: row.isDraft,
    chapter: row.chapter,
    callouts: row.callouts,
    proposedCallouts: owned ? row.proposedCallouts : [],
    commands: row.commands,
    beforeScreen: owned ? row.beforeScreen : null,
    imageAt: owned ? row.imageAt : null,
    focus: row.focus,
    image,
    ...(owned && row.videoMark !== undefined && { videoMark: row.videoMark }),
    // The poster shows another moment.
    imageText: image === 'poster' ? '' : row.imageText,
  }
}

function findShown({ imageAt, ownImage }: PresentedRow, module: HasPoster | undefined): string | null {
  if (imageAt === 'none') return null
  return ownImage ?? (module?.hasPoster ? 'poster' : null)
}

/** A proposed step as its owner sees it. */
export function presentProposal(row: ProposalRow, module: Pick<ModuleRow, 'id' | 'sourceKey'>): Step {
  return presentStep({ ...BLANK_STEP, ...row, videoMark: videoMarkOf(module) }, 'owner')
}

/** A step as anyone with the link sees it. */
export function presentSharedStep(row: ShownStepRow, module: HasPoster): SharedStep {
  return toSharedStep(presentStep(row, 'viewer', module))
}

/** A step of learners as anyone with the link sees it. */
export function toSharedStep({ start: timestamp, ...step }: Step): SharedStep {
  const { id, title, description, duration, chapter, callouts, commands, focus, image, imageText } = step
  return { id, title, description, timestamp, duration, chapter, callouts, commands, focus, image, imageText }
}

/** Steps without what is left out of the video, for anyone with the link. */
export function listVisibleShared(steps: readonly SharedStep[], cuts: Cuts): SharedStep[] {
  const spans = steps.map((step) => ({ step, start: step.timestamp, end: step.timestamp + step.duration }))
  return listVisibleSteps(spans, cuts).map(({ step, start, end }) => {
    return { ...step, commands: listVisibleCommands(step, cuts), timestamp: start, duration: end - start }
  })
}

/** Steps as a role sees them: viewers do not see what is left out of the video. */
export function presentSteps(rows: readonly ShownStepRow[], role: ModuleRole, module: HasPoster & HasCuts): Step[] {
  const steps = rows.map((row) => presentStep(row, role, module))
  if (seesDraft(role) || module.cuts.length === 0) return steps
  return listVisibleSteps(steps, module.cuts).map((step) => {
    return { ...step, commands: listVisibleCommands(step, module.cuts), duration: step.end - step.start }
  })
}

type HasCuts = Pick<ModuleRow, 'cuts'>
type StepsContext = Pick<Context, 'db' | 'bucket'>

/**
 * Reads the steps that exist so far, with the transcript as text. A training whose owner deleted every step has an empty
 * list.
 * @throws {AppError} steps_not_ready, processing_failed, steps_not_found, when there is no step yet
 */
export async function readSteps(context: StepsContext, module: ModuleRow, role: ModuleRole): Promise<StepsAnswer> {
  const answer = await answerSteps(context, module, role)
  const isEmptied = module.status === 'READY' && module.editedVersion > 0
  if (answer.steps.length === 0 && !isEmptied) throw noSteps(module, role)
  return answer
}

/** The list as it is, also when it is empty. */
export async function answerSteps(context: StepsContext, module: ModuleRow, role: ModuleRole): Promise<StepsAnswer> {
  const [rows, { segments }] = await Promise.all([listShownSteps(context.db, module), readTranscript(context, module)])
  return {
    success: true,
    steps: presentSteps(rows, role, module),
    transcript: (seesDraft(role) ? segments : listVisibleSegments(segments, module.cuts))
      .map(({ text }) => text)
      .join(' '),
    meta: {
      durationSec: module.durationMs === null ? null : module.durationMs / 1000,
      version: module.stepsVersion,
      editedVersion: module.editedVersion,
      transcriptSource: sourceOf(module),
      cuts: module.cuts,
    },
  }
}

function noSteps(module: ModuleRow, role: ModuleRole): AppError {
  if (module.status === 'PROCESSING') {
    return new AppError('steps_not_ready', 'Steps not ready yet - module still processing')
  }
  if (module.status === 'FAILED') {
    const reason = role === 'owner' ? module.lastError : null
    return new AppError('processing_failed', `Processing failed: ${reason ?? 'the trainer can see the reason'}`)
  }
  return new AppError('steps_not_found', 'Steps not found - module processing may have failed')
}
