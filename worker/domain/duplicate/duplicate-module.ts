import { nanoid } from 'nanoid'
import type { DuplicateAnswer, DuplicateRequest } from '#contract/training/duplicate.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { imagesOf } from '#worker/domain/image/image.ts'
import { copyObject, copyTo } from '#worker/domain/media/copy-object.ts'
import { SETTLED_AFTER_MS, softDeleteUpload } from '#worker/domain/module/deleted-store.ts'
import { makeModuleId } from '#worker/domain/module/module-id.ts'
import { insertModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { earlyIndexKey } from '#worker/domain/module/serve-source.ts'
import { refundUpload, removeUses } from '#worker/domain/quota/quota-store.ts'
import { takeBytes, takeModule } from '#worker/domain/quota/take-quota.ts'
import { screensOf } from '#worker/domain/screen/screen-reading.ts'
import { transcriptsOf } from '#worker/domain/transcript/transcript-store.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { fillDuplicate } from './duplicate-store.ts'

/**
 * Makes a training of its own out of a copy of another: its video, steps, texts and settings, with a link of its own. It
 * has neither the versions nor the learners of the other. Counts as an upload of its video.
 * @throws {AppError} steps_not_ready, quota_reached; source_changed where the video is not what it was
 */
export async function duplicateModule(
  context: Context,
  module: ModuleRow,
  { caller, title }: DuplicateRequest & { caller: Caller },
): Promise<DuplicateAnswer> {
  if (module.status !== 'READY' || module.sourceEtag === null)
    throw new AppError('steps_not_ready', 'A training can be duplicated as soon as it is ready.')
  const id = makeModuleId()
  // What is of an organization stays in it, whichever is active.
  const copy = { id, userId: caller.userId, orgId: module.orgId, title, sourceKey: `src/${id}/${nanoid(22)}` }
  try {
    await takeModule(context, copy)
    await takeBytes(context, copy, module.sourceSizeBytes ?? 0)
  } catch (error) {
    await removeUses(context.d1, id)
    throw error
  }
  try {
    await reserve(context, module, copy)
    await fill(context, module, copy)
  } catch (error) {
    // What was copied goes with the row, and counts until then.
    await softDeleteUpload(context.db, id, context.nowMs())
    await refundUpload(context.d1, id, context.nowMs() + SETTLED_AFTER_MS)
    throw error
  }
  return { success: true, moduleId: id }
}

/** A module that a copy is made into. */
type Duplicate = Pick<ModuleRow, 'id' | 'userId' | 'orgId' | 'title' | 'sourceKey'>

/** The row comes before the object, which would be nobody's after a crash. It is listed nowhere until it is filled. */
async function reserve({ db, nowMs }: Context, module: ModuleRow, copy: Duplicate): Promise<void> {
  const { filename, declaredType, declaredDurationMs, sourceSizeBytes: declaredSizeBytes } = module
  const [createdAt, status, message] = [nowMs(), 'PROCESSING', 'Waiting for the upload'] as const
  const declared = { filename, declaredType, declaredDurationMs, declaredSizeBytes }
  const shared = isOpen(module)
  await insertModule(db, { ...copy, ...declared, shared, status, message, createdAt, updatedAt: createdAt })
}

/** Whether anyone who gets a link sees all of the draft. */
function isOpen({ shared, publishedVersion, linkEndsAt, linkPassword }: ModuleRow): boolean {
  return shared && publishedVersion === null && linkEndsAt === null && linkPassword === null
}

async function fill(context: Context, module: ModuleRow, { id, sourceKey }: Duplicate): Promise<void> {
  const { bucket, d1, nowMs } = context
  // The largest first: where it is another one by now, nothing is copied.
  const wanted = { from: module.sourceKey, to: sourceKey, ...(module.sourceEtag && { etag: module.sourceEtag }) }
  const source = await copyObject(bucket, wanted)
  if (source === null) throw changed()
  const transcriptName = nameOf(module.transcriptKey)
  const transcriptKey = await copyTo(bucket, module.transcriptKey, `${transcriptsOf(id)}${transcriptName}`)
  const keys = {
    transcriptKey,
    captionsKey: module.captionsKey === null ? null : transcriptKey,
    screenKey: await copyTo(bucket, module.screenKey, `${screensOf(id)}${nanoid()}`),
  }
  if (module.earlyIndex !== null) await copyTo(bucket, earlyIndexKey(module.sourceKey), earlyIndexKey(sourceKey))
  if (module.hasPoster) await copyTo(bucket, `${imagesOf(module.id)}poster`, `${imagesOf(id)}poster`)
  if (!(await fillDuplicate(d1, { from: module, id, keys, etag: source.etag, nowMs: nowMs() }))) throw changed()
}

function changed(): AppError {
  return new AppError('source_changed', 'The video of this training has changed meanwhile. Please try again.')
}

/** The last part of a key. */
function nameOf(key: string | null): string {
  return key?.split('/').at(-1) ?? ''
}
