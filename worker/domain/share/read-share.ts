import type { LanguageTag } from '#contract/languages.ts'
import { type ShareAnswer, SharedFields } from '#contract/share.ts'
import { sharedFilePath, sharedPosterPath } from '#contract/share-page.ts'
import type { Context } from '#worker/core/context.ts'
import { getSharedModule, type LinkContext } from '#worker/domain/module/get-module.ts'
import { asLearnersSee } from '#worker/domain/module/learner-source.ts'
import { isOpenById, linkIdOf } from '#worker/domain/module/link-state.ts'
import { presentModule } from '#worker/domain/module/module-list-store.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { type ByteRange, getSource, openSource, type Source } from '#worker/domain/module/serve-source.ts'
import { getSmallSource, presentSmallCopy } from '#worker/domain/module/small-copy.ts'
import { listAudioTracks } from '#worker/domain/run/audio-track-store.ts'
import { openLearnerView } from '#worker/domain/version/learner-view.ts'

/**
 * A module as anyone with the link sees it.
 * @param wanted language of its texts; null, or one that it is not translated into, gives the original
 * @throws {AppError} not_found also when sharing is off
 */
export async function readShare(
  context: LinkContext & Pick<Context, 'bucket'>,
  linkId: string,
  wanted: LanguageTag | null = null,
): Promise<ShareAnswer> {
  return presentShare(context, await getSharedModule(context, linkId), wanted)
}

/** The same of a module whose link is open. */
export async function presentShare(
  context: Pick<Context, 'db' | 'bucket' | 'nowMs'>,
  row: ModuleRow,
  wanted: LanguageTag | null,
): Promise<ShareAnswer> {
  const view = await openLearnerView(context, row)
  const { module, fields } = view
  const texts = await view.readTexts(wanted)
  const shownLanguage = texts.translation?.language ?? null
  const id = linkIdOf(module)
  const posterUrl = module.hasPoster ? sharedPosterPath(id) : null
  return {
    success: true,
    module: {
      ...SharedFields.parse(presentModule(module, 'viewer', { posterUrl, mayDelete: false, organization: null })),
      ...fields,
      ...texts,
      id,
      cuts: module.cuts,
      smallCopy: presentSmallCopy(module),
      captionsUrl: hasCaptions(module) ? sharedFilePath(id, 'captions.vtt', shownLanguage) : null,
      language: shownLanguage ?? module.language,
      audioTracks: await listAudioTracks(context.db, module),
      hasTutor: module.linkAnswersPerDay !== null,
      ...(!isOpenById(module, context.nowMs()) && { isByLinkOnly: true }),
    },
  }
}

/** Whether the transcript can be shown as captions: while a module is made, it still grows. */
export function hasCaptions(module: Pick<ModuleRow, 'status' | 'transcriptRun'>): boolean {
  return module.transcriptRun !== null && module.status !== 'PROCESSING'
}

/** Which of a module's videos. */
export type Quality = 'original' | 'small'

/** What is served of one of a module's videos. @throws {AppError} not_found while there is no video yet, or no small copy */
export function getQuality(module: ModuleRow, quality: Quality): Source {
  const shown = asLearnersSee(module)
  return quality === 'small' ? getSmallSource(shown) : getSource(shown)
}

/** The edge keeps no larger objects (Workers Cache, "Limits"). */
export const EDGE_OBJECT_MAX_BYTES = 512 * 1024 * 1024

/**
 * How long a player waits for the edge, in ms: where it has no copy it may fetch the whole video before it gives out a
 * range of it, and the bucket has its first bytes sooner than that.
 */
const EDGE_WAIT_MS = 300

/**
 * Bytes of a shared video: out of the edge's copy where it has one to give, otherwise straight from the bucket. An edge
 * that is late, or answers with anything but the very range that was asked for, is passed by.
 * @param places `askEdge` asks for the whole video, or for a range of it; `keepAlive` lets a late edge fill its copy
 * @throws {AppError} not_found, source_changed
 */
export async function openSharedVideo(
  {
    askEdge,
    bucket,
    keepAlive,
  }: {
    askEdge: (range: string | null) => Promise<Response>
    bucket: R2Bucket
    keepAlive: (work: Promise<unknown>) => void
  },
  source: Source,
  range: ByteRange | null,
): Promise<ReadableStream> {
  if (source.sizeBytes <= EDGE_OBJECT_MAX_BYTES) {
    const span = range && `${range.offset}-${range.offset + range.length - 1}`
    const pendingAnswer = askEdge(span && `bytes=${span}`)
    const answer = await Promise.race([pendingAnswer, scheduler.wait(EDGE_WAIT_MS)])
    if (answer === undefined) keepAlive(pendingAnswer.then(({ body }) => body?.cancel()).catch(() => undefined))
    else {
      const isRange = answer.headers.get('content-range') === `bytes ${span}/${source.sizeBytes}`
      const isIt = range === null ? answer.status === 200 : answer.status === 206 && isRange
      if (isIt && answer.body !== null) return answer.body
      await answer.body?.cancel()
    }
  }
  return openSource(bucket, source, range)
}
