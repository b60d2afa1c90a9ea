import { VERSIONS_MAX } from '#contract/limits.ts'
import { UNPUBLISHED } from '#contract/module.ts'
import type { StepInput, StepsAnswer } from '#contract/step.ts'
import type { TranscriptAnswer } from '#contract/transcript.ts'
import {
  type PublishConflict,
  type PublishRequest,
  type RestoreVersion,
  type VersionAnswer,
  VersionContent,
  type VersionName,
  type VersionsAnswer,
  type VersionsSwitch,
} from '#contract/version.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { findModule, type ModuleRow, updateModule } from '#worker/domain/module/module-store.ts'
import { removeLearnerCopy } from '#worker/domain/module/small-copy.ts'
import { addUse, takeRetraining } from '#worker/domain/quota/take-quota.ts'
import { saveSteps } from '#worker/domain/step/save-steps.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { presentReview, readRight, requirePublisher } from './approve-version.ts'
import { requireUnassigned } from './assigned-versions.ts'
import { listChecks, presentCheck } from './due-reviews.ts'
import { openDraft, openVersion } from './learner-view.ts'
import { type DraftVersion, makeVersion } from './make-version.ts'
import { requireSeen } from './review-comments.ts'
import { findReview } from './review-store.ts'
import { writeTimeline } from './timeline.ts'
import { findMissing, putObjects, readObject } from './version-objects.ts'
import {
  countAsked,
  countTrained,
  findVersion,
  insertVersion,
  listVersions,
  showVersion,
  type VersionRow,
} from './version-store.ts'

/** Lists the versions of a module for one of its owners. */
export async function readVersions(
  { db, d1 }: Pick<Context, 'db' | 'd1'>,
  moduleId: string,
  caller: Caller,
): Promise<VersionsAnswer> {
  const [module, rows, review, checkRows] = await Promise.all([
    findModule(db, moduleId),
    listVersions(db, moduleId),
    findReview(db, moduleId),
    listChecks(db, moduleId),
  ])
  if (module === null) throw moduleNotFound()
  const checksOf = Map.groupBy(checkRows, ({ number }) => number)
  return {
    success: true,
    published: module.publishedVersion,
    ...(await readRight({ db }, module, caller)),
    trained: await countTrained(d1, module),
    review: review && presentReview(review, caller),
    reviewMonths: module.reviewMonths,
    reviewDueAt: toIso(module.reviewDueAt),
    versions: rows.map(({ number, hash, note, retraining, publishedAt, title, stepCount, ...row }) => {
      const by = { publishedAt: toIso(publishedAt), isMine: row.userId === caller.userId }
      const checks = (checksOf.get(number) ?? []).map(presentCheck)
      return { number, hash, note, retraining, ...by, approval: row.approval, checks, title, stepCount }
    }),
  }
}

/** Reads a version, or what the draft would be as one. @throws {AppError} not_found, steps_not_ready */
export async function readVersion(
  context: Pick<Context, 'db' | 'bucket'>,
  module: ModuleRow,
  name: VersionName,
): Promise<VersionAnswer> {
  if (name === 'draft') {
    const { hash, content } = await makeVersion(context, requireReady(module))
    return { success: true, hash, content }
  }
  const version = await getVersion(context, module, name)
  return { success: true, hash: version.hash, content: await readObject(context.bucket, version, VersionContent) }
}

/** Reads what is said in a version, or in the draft, as learners read it. @throws {AppError} not_found */
export async function readVersionTranscript(
  context: Pick<Context, 'db' | 'bucket'>,
  module: ModuleRow,
  name: VersionName,
): Promise<TranscriptAnswer> {
  const view = name === 'draft' ? openDraft(context, module) : await openStored(context, module, name)
  return { success: true, ...(await view.readTranscript()), orphaned: [] }
}

async function openStored(context: Pick<Context, 'db' | 'bucket'>, module: ModuleRow, number: number) {
  const version = await getVersion(context, module, number)
  return openVersion(context, module, { version, content: await readObject(context.bucket, version, VersionContent) })
}

async function getVersion({ db }: Pick<Context, 'db'>, module: ModuleRow, number: number): Promise<VersionRow> {
  const version = await findVersion(db, { moduleId: module.id, number })
  if (version === null) throw new AppError('not_found', 'This training has no such version.')
  return version
}

function requireReady(module: ModuleRow): ModuleRow {
  if (module.status === 'READY') return module
  throw new AppError('steps_not_ready', 'A version can be published as soon as the training is ready.')
}

/**
 * Publishes the draft that the caller saw as the version that learners see.
 * @throws {AppError} version_conflict, with the draft as it is now, where that is another one or another version was
 *   published meanwhile, and without it where something was said of it that the caller has not seen; invalid_request where nothing has changed; steps_not_ready; quota_reached
 */
export async function publishVersion(
  context: Context,
  module: ModuleRow,
  { caller, draft: seen, published, note, retraining, seenComments, approval }: PublishRequest & { caller: Caller },
): Promise<void> {
  if (await requirePublisher(context, module, caller)) requireName(approval)
  const draft = await makeVersion(context, requireReady(module))
  if (module.publishedVersion === null) throw new AppError('invalid_request', 'Switch versions on first.')
  if (draft.hash !== seen || module.publishedVersion !== published) throw toConflict(draft, module)
  const current = published === UNPUBLISHED ? null : await getVersion(context, module, published)
  if (current?.hash === draft.hash)
    throw new AppError('invalid_request', `Nothing has changed since version ${current.number}.`)
  if (seenComments !== undefined) await requireSeen(context.db, { moduleId: module.id, seenComments })
  const isStored = await storeVersion(context, module, {
    draft,
    seenComments,
    userId: caller.userId,
    note,
    retraining,
    approval: approval ?? null,
  })
  if (isStored) return
  const now = await findModule(context.db, module.id)
  if (now === null) throw moduleNotFound()
  throw toConflict(await makeVersion(context, now), now)
}

function toConflict({ hash, content }: DraftVersion, { publishedVersion: published }: ModuleRow): AppError {
  const extensions = { hash, content, published } satisfies Pick<PublishConflict, 'hash' | 'content' | 'published'>
  return new AppError('version_conflict', 'The draft has changed meanwhile. Look at it and publish again.', {
    extensions,
  })
}

function requireName(approval: PublishRequest['approval']): void {
  if (!approval?.name) throw new AppError('invalid_request', 'approval.name: Write your name.')
}

type ToStore = Pick<VersionRow, 'userId' | 'note' | 'retraining' | 'approval'> &
  Pick<PublishRequest, 'seenComments'> & { draft: DraftVersion }

async function storeVersion(
  context: Context,
  module: ModuleRow,
  { draft, seenComments, ...by }: ToStore,
): Promise<boolean> {
  const { db, d1, bucket, nowMs } = context
  const { content, hash, texts } = draft
  const [last] = await listVersions(db, module.id)
  if ((last?.number ?? 0) >= VERSIONS_MAX)
    throw new AppError('invalid_request', `A training has at most ${VERSIONS_MAX} versions.`)
  const missing = await findMissing(bucket, module.id, texts)
  const sizes = [...missing.values()].map((text) => new TextEncoder().encode(text).byteLength)
  const amount = sizes.reduce((sum, size) => sum + size, 0)
  if (amount > 0) await addUse(context, module, { kind: 'bytes', amount })
  await takeRetraining(context, { userId: by.userId, people: await countAsked(d1, module, by.retraining) })
  await putObjects(bucket, module.id, missing)
  const row = { ...by, hash, publishedAt: nowMs(), stepCount: content.steps.length, timeline: writeTimeline(content) }
  const isStored = await insertVersion(d1, module, { ...row, seenComments, images: Object.keys(content.images) })
  if (isStored) await removeLearnerCopy(bucket, module)
  return isStored
}

/** How often a switch is tried while the module changes. */
const SWITCH_TRIES = 3

/**
 * Has learners see published versions, beginning with what they see now; or the draft. Doing it twice changes nothing.
 * @throws {AppError} assigned for switching them off while people are to be trained on them; approval_needed; invalid_request without the name that the rules ask for; steps_not_ready,
 *   quota_reached; version_conflict where the module changes all the time
 */
export async function switchVersions(
  context: Context,
  module: ModuleRow,
  { caller, isOn, approval }: VersionsSwitch & { caller: Caller },
): Promise<void> {
  let now: ModuleRow | null = module
  for (let tries = 0; tries < SWITCH_TRIES; tries++) {
    if (now === null) throw moduleNotFound()
    if (isOn === (now.publishedVersion !== null)) return
    // Switching them off shows the draft, which nobody has released; switching them on releases what it has become.
    const needsName = await requirePublisher(context, now, caller)
    if (isOn && needsName) requireName(approval)
    if (!isOn) await requireUnassigned(context, now)
    const by = { userId: caller.userId, approval: approval ?? null }
    const isDone = isOn ? await switchOn(context, now, by) : await showVersion(context.d1, now, null)
    if (isDone) return removeLearnerCopy(context.bucket, now)
    now = await findModule(context.db, module.id)
  }
  throw new AppError('version_conflict', 'This training is being changed. Please try again in a moment.')
}

async function switchOn(
  context: Context,
  module: ModuleRow,
  by: Pick<VersionRow, 'userId' | 'approval'>,
): Promise<boolean> {
  const draft = await makeVersion(context, requireReady(module))
  const [last] = await listVersions(context.db, module.id)
  // Equal content is another version only where a name is to stand under it.
  if (last?.hash === draft.hash && by.approval === null) return showVersion(context.d1, module, last.number)
  return storeVersion(context, module, { draft, ...by, note: '', retraining: 'none' })
}

/**
 * Makes title and steps of a version those of the draft. Its transcript stays, as do teaching notes of steps that are
 * still there.
 * @throws {AppError} not_found; invalid_request where it has another video; version_conflict where the steps have changed
 *   since the caller saw them
 */
export async function restoreVersion(
  context: Context,
  module: ModuleRow,
  { number, stepsVersion }: RestoreVersion & Pick<VersionRow, 'number'>,
): Promise<StepsAnswer> {
  const { content } = await readVersion(context, module, number)
  if ((content.video?.etag ?? null) !== module.sourceEtag)
    throw new AppError('invalid_request', 'This version has another video, so its times do not fit.')
  const answer = await saveSteps(context, module, { steps: content.steps.map(toInput(content)), version: stepsVersion })
  if (content.module.title !== module.title) await updateModule(context.db, module.id, { title: content.module.title })
  return answer
}

function toInput({ notes }: VersionContent) {
  const quotable = new Map(notes.map(({ stepId, text }) => [stepId, text]))
  return ({ notes: _notes, notesQuotable: _quotable, ...step }: VersionContent['steps'][number]): StepInput => {
    const {
      originalText: _text,
      aiRewrite: _rewrite,
      beforeRewrite: _before,
      proposedCallouts: _proposed,
      ...shown
    } = step
    const note = quotable.get(step.id)
    return { ...shown, ...(note !== undefined && { notes: note, notesQuotable: true }) }
  }
}
