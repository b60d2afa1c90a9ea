import { type ShareAnswer, SharedFields } from '#contract/share.ts'
import { sharedCaptionsPath, sharedPosterPath } from '#contract/share-page.ts'
import { writeVtt } from '#media/write-captions.ts'
import type { Context } from '#worker/context.ts'
import type { Db } from '#worker/db/db.ts'
import { getSharedModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import { presentModule } from '#worker/domain/module/module-list-store.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { type ByteRange, getSource, openObject, type Source } from '#worker/domain/module/serve-source.ts'
import { presentSharedStep } from '#worker/domain/step/read-steps.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import { readTranscript } from '#worker/domain/transcript/transcript-store.ts'

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
      ...SharedFields.parse(presentModule(module, 'viewer', { posterUrl, mayDelete: false })),
      captionsUrl: hasCaptions(module) ? sharedCaptionsPath(module.id) : null,
      steps: rows.map(presentSharedStep),
      hasTutor: module.linkAnswersPerDay !== null,
    },
  }
}

/** While it is made, the transcript still grows. */
function hasCaptions(module: ModuleRow): boolean {
  return module.transcriptRun !== null && module.status !== 'PROCESSING'
}

/**
 * What is said in a module's video, for anyone with the link, as a WebVTT file.
 * @throws {AppError} not_found also when sharing is off and while there is nothing to show
 */
export async function readCaptions(context: Pick<Context, 'db' | 'bucket'>, moduleId: string): Promise<string> {
  const module = await getSharedModule(context.db, moduleId)
  if (!hasCaptions(module)) throw moduleNotFound()
  const { segments } = await readTranscript(context, module)
  return writeVtt(segments.map(({ startMs, endMs, text }) => ({ start: startMs / 1000, end: endMs / 1000, text })))
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
