import { nanoid } from 'nanoid'
import {
  BLANK_STEP,
  type DecideProposal,
  type ProposalsAnswer,
  type SaveSteps,
  ScreenedTexts,
  type StepImage,
  type StepInput,
  type StepsAnswer,
  type VersionConflict,
} from '#contract/step.ts'
import { VIDEO_END_SLACK_S } from '#contract/step-editing.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Db } from '#worker/db/db.ts'
import { findModule, type ModuleRow, reviveModule } from '#worker/domain/module/module-store.ts'
import { findReplaced } from './match-proposals.ts'
import {
  acceptProposals,
  listProposals,
  type ProposalsToDecide,
  rejectProposals,
  reopenProposals,
} from './proposal-store.ts'
import { answerSteps, presentProposal } from './read-steps.ts'
import { listSteps, replaceSteps } from './step-store.ts'
import type { StepRow, StepToStore } from './tidy-section.ts'

/** Lists the proposals of the last run; empty when there is nothing to decide. */
export async function readProposals(db: Db, module: ModuleRow): Promise<ProposalsAnswer> {
  const [proposals, steps] = await Promise.all([listProposals(db, module.id), listSteps(db, module.id)])
  const replaced = findReplaced(proposals, steps)
  return {
    success: true,
    proposals: proposals.map((row) => ({ ...presentProposal(row, module), replaces: replaced.get(row.id) ?? [] })),
  }
}

/**
 * Accepts, rejects or reopens some proposed steps. Those that another person has decided on meanwhile stay so.
 * @returns the steps as they are now
 * @throws {AppError} not_found when there is none of them any more; invalid_request for accepting a scene without a name
 */
export async function decideProposals(
  context: Context,
  module: ModuleRow,
  { ids, decision }: DecideProposal & { ids: readonly string[] },
): Promise<StepsAnswer> {
  const proposals = { moduleId: module.id, ids, nowMs: context.nowMs() }
  const decide = {
    accept: () => accept(context, proposals),
    reject: () => rejectProposals(context.d1, proposals),
    undo: () => reopenProposals(context.d1, proposals),
  }[decision]
  const decided = await decide()
  if (decided === 0) throw new AppError('not_found', 'This proposal has been decided on already.')
  return answerNow(context, module)
}

/** Accepts proposals; where the steps change meanwhile, what gives way to them is found once more. */
async function accept({ db, d1 }: Context, decided: ProposalsToDecide): Promise<number> {
  for (;;) {
    const module = await findModule(db, decided.moduleId)
    const proposals = await listProposals(db, decided.moduleId)
    const offered = proposals.filter(({ id }) => decided.ids.includes(id))
    if (module === null || offered.length === 0) return 0
    if (offered.some(({ title }) => title === '')) throw new AppError('invalid_request', 'A scene needs a title first.')
    const replaced = findReplaced(proposals, await listSteps(db, decided.moduleId))
    const accepted = await acceptProposals(d1, { ...decided, replaced, basedOn: module.stepsVersion })
    if (accepted > 0) return accepted
  }
}

/** The steps with the version that they have now. */
export async function answerNow(context: Context, module: ModuleRow): Promise<StepsAnswer> {
  return answerSteps(context, (await findModule(context.db, module.id)) ?? module, 'owner')
}

/**
 * Replaces a module's steps by the list that a person saved. Only the hard limits hold here. The first step that a
 * person gives to a failed module makes it READY.
 * @throws {AppError} invalid_request for a step outside the video, version_conflict for a stale version, with the steps as they are now
 */
export async function saveSteps(context: Context, module: ModuleRow, request: SaveSteps): Promise<StepsAnswer> {
  const nowMs = context.nowMs()
  const before = new Map((await listSteps(context.db, module.id)).map((row) => [row.id, row]))
  const latestMs = (module.durationMs ?? Number.POSITIVE_INFINITY) + VIDEO_END_SLACK_S * 1000
  const seen = new Set<string>()
  const list = request.steps.map((input, index) => {
    if (input.end * 1000 > latestMs)
      throw new AppError('invalid_request', `"${input.title}" ends after the video does.`)
    return toStore(input, { before, seen, nowMs, isUpdated: mayChange(request, index) })
  })
  const options = { moduleId: module.id, basedOn: request.version ?? null, nowMs }
  if (!(await replaceSteps(context.d1, options, list))) throw await toConflict(context, module)
  // The current run may have failed since the module was read.
  if (module.status !== 'READY' && list.length > 0) await reviveModule(context.db, module, nowMs)
  return answerNow(context, module)
}

/** Carries the steps that the other person saved, so that the two can be compared at once. */
export async function toConflict(context: Context, module: ModuleRow): Promise<AppError> {
  const { steps, meta } = await answerNow(context, module)
  return new AppError('version_conflict', 'Someone else saved these steps first. Compare and save again.', {
    extensions: { steps, version: meta.version } satisfies Pick<VersionConflict, 'steps' | 'version'>,
  })
}

/** The pipeline may have improved the other steps since they were loaded. */
function mayChange({ action, stepIndex }: SaveSteps, index: number): boolean {
  if (stepIndex === undefined || action === undefined || action === 'reorder') return true
  return action !== 'delete' && stepIndex === index
}

/** Images are named after whole milliseconds. */
function inMilliseconds(imageAt: StepImage): StepImage {
  return typeof imageAt === 'number' ? Math.round(imageAt * 1000) / 1000 : imageAt
}

/** What a step says of its screen too. Once a person has changed that, it cannot be taken back. */
const SCREENED: ReadonlySet<string> = new Set(Object.keys(ScreenedTexts.shape))

/** What says which moment an image shows. */
const SHOWN: ReadonlySet<string> = new Set(['startMs', 'imageAt'])

function toStore(
  input: StepInput,
  context: { before: Map<string, StepRow>; seen: Set<string>; nowMs: number; isUpdated: boolean },
): StepToStore {
  const id = input.id !== undefined && !context.seen.has(input.id) ? input.id : nanoid()
  context.seen.add(id)
  const old = context.before.get(id)
  if (old !== undefined && !context.isUpdated) return old
  const fields = {
    title: input.title,
    description: input.description,
    startMs: Math.round(input.start * 1000),
    endMs: Math.round(input.end * 1000),
    aliases: input.aliases,
    notes: input.notes ?? old?.notes ?? '',
    notesQuotable: input.notesQuotable ?? old?.notesQuotable ?? false,
    aiRewrite: input.aiRewrite === undefined ? (old?.aiRewrite ?? null) : input.aiRewrite,
    beforeRewrite: input.beforeRewrite === undefined ? (old?.beforeRewrite ?? null) : input.beforeRewrite,
    chapter: input.chapter === undefined ? (old?.chapter ?? null) : input.chapter,
    callouts: input.callouts ?? old?.callouts ?? [],
    proposedCallouts: input.proposedCallouts ?? old?.proposedCallouts ?? [],
    commands: input.commands ?? old?.commands ?? [],
    imageAt: input.imageAt === undefined ? (old?.imageAt ?? null) : inMilliseconds(input.imageAt),
    focus: input.focus === undefined ? (old?.focus ?? null) : input.focus,
  }
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(old?.[name as keyof StepRow])
  const changed = Object.entries(fields).filter(isChanged)
  const isEdited = old === undefined || changed.length > 0
  const before = old ?? { ...BLANK_STEP, segmentIds: [], run: null }
  return {
    ...before,
    ...fields,
    id,
    originalText: input.originalText ?? before.originalText,
    isManual: input.isManual,
    beforeScreen: changed.some(([name]) => SCREENED.has(name)) ? null : before.beforeScreen,
    imageText: changed.some(([name]) => SHOWN.has(name)) ? '' : before.imageText,
    notesEdited: before.notesEdited || fields.notes !== before.notes,
    // A draft under another heading is still nothing that a person has written.
    isDraft: before.isDraft && changed.every(([name]) => name === 'chapter'),
    editedAt: isEdited ? context.nowMs : old.editedAt,
  }
}
