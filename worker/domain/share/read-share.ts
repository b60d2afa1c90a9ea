import { type ShareAnswer, SharedFields } from '#contract/share.ts'
import { sharedFilePath, sharedPosterPath } from '#contract/share-page.ts'
import type { Db } from '#worker/db/db.ts'
import { getSharedModule } from '#worker/domain/module/get-module.ts'
import { presentModule } from '#worker/domain/module/module-list-store.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { type ByteRange, getSource, openObject, type Source } from '#worker/domain/module/serve-source.ts'
import { presentSharedStep } from '#worker/domain/step/read-steps.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'

/**
 * A module as anyone with the link sees it.
 * @throws {AppError} not_found also when sharing is off
 */
export async function readShare(db: Db, moduleId: string): Promise<ShareAnswer> {
  const module = await getSharedModule(db, moduleId)
  const rows = await listSteps(db, module.id)
  const posterUrl = module.hasPoster ? sharedPosterPath(module.id) : null
  return {
    success: true,
    module: {
      ...SharedFields.parse(presentModule(module, 'viewer', { posterUrl, mayDelete: false, organization: null })),
      captionsUrl: hasCaptions(module) ? sharedFilePath(module.id, 'captions.vtt') : null,
      steps: rows.map(presentSharedStep),
      hasTutor: module.linkAnswersPerDay !== null,
    },
  }
}

/** Whether the transcript can be shown as captions: while a module is made, it still grows. */
export function hasCaptions(module: Pick<ModuleRow, 'status' | 'transcriptRun'>): boolean {
  return module.transcriptRun !== null && module.status !== 'PROCESSING'
}

/**
 * Grants that anyone may watch a module now, with what its video is. It is cached for as long as a link may outlive its
 * end, so that neither the database nor the bucket is asked for each of a player's many ranges. Never leaves the worker.
 * @throws {AppError} not_found also while there is no video yet
 */
export async function readGrant(db: Db, moduleId: string): Promise<Source> {
  return getSource(await getSharedModule(db, moduleId))
}

/** The edge keeps no larger objects (Workers Cache, "Limits"). */
export const EDGE_OBJECT_MAX_BYTES = 512 * 1024 * 1024

/**
 * Bytes of a shared video: out of the edge's copy where it has one to give, otherwise straight from the bucket. An edge
 * that answers with anything but the very range that was asked for is passed by.
 * @param places `askEdge` asks for the whole video, or for a range of it
 * @throws {AppError} not_found, source_changed
 */
export async function openSharedVideo(
  { askEdge, bucket }: { askEdge: (range: string | null) => Promise<Response>; bucket: R2Bucket },
  { key, etag, sizeBytes }: Source,
  range: ByteRange | null,
): Promise<ReadableStream> {
  const span = range && `${range.offset}-${range.offset + range.length - 1}`
  if (sizeBytes <= EDGE_OBJECT_MAX_BYTES) {
    const answer = await askEdge(span && `bytes=${span}`)
    const isRange = answer.status === 206 && answer.headers.get('content-range') === `bytes ${span}/${sizeBytes}`
    const isIt = range === null ? answer.status === 200 : isRange
    if (isIt && answer.body !== null) return answer.body
    await answer.body?.cancel()
  }
  return openObject(bucket, key, { etag, range })
}
