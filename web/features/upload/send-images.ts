import type { ImageName } from '#contract/image.ts'
import { imageNameOf } from '#contract/image-url.ts'
import { isSilent } from '#contract/module.ts'
import { type OfferScenes, ProposalsAnswer } from '#contract/step.ts'
import type { StepSpan } from '#media/choose-frame.ts'
import type { CallApi } from '#web/lib/api.ts'
import { POSTER_WIDTH_PX, posterTimeMs } from '#web/lib/files.ts'
import { holdImages, keepImage, keepStepImages } from '#web/lib/keep-images.ts'
import { type LoadedModule, readModule } from '#web/lib/module-cache.ts'
import { callWithRetry, timing, wait } from './call-with-retry.ts'
import type { DrawnImage, DrawnStep } from './file-worker/messages.ts'
import { lookForScenes, makeImages, makeImagesOfSteps } from './file-worker/run-file-task.ts'

export interface ImagesRequest {
  file: Blob
  moduleId: string
  /** Of which video they are, where that may be another one than the module was uploaded with. */
  videoId?: string | null
  /** Null when it is not known. */
  durationMs: number | null
  callApi: CallApi
  signal: AbortSignal
  /** Called with each image that is kept; for a step with the name of both of its sizes. */
  onKept?: ((name: ImageName) => void) | undefined
  /** The module as a page of this tab watches it, by socket; null where none does. */
  findWatched?: ((moduleId: string) => LoadedModule | null) | undefined
}

export interface ImagesDeps {
  draw: (order: { file: Blob; timesMs: number[]; maxWidthPx: number; signal: AbortSignal }) => AsyncIterable<DrawnImage>
  drawSteps: (order: { file: Blob; spans: StepSpan[]; signal: AbortSignal }) => AsyncIterable<DrawnStep>
  /** When the scenes begin, in milliseconds; none where nothing changes. Rejects where it cannot look. */
  findScenes: (file: Blob, signal: AbortSignal) => Promise<number[]>
  wait: (delayMs: number, signal: AbortSignal) => Promise<void>
}

const IMAGES_IN_BROWSER: ImagesDeps = {
  draw: makeImages,
  drawSteps: makeImagesOfSteps,
  findScenes: lookForScenes,
  wait,
}

/** Steps come one after the other while a module is processed. */
const LOOK_EVERY_MS = 10_000
/** A tab that is left open does not poll forever. */
const MOST_LOOKS = 360

/**
 * Draws a poster and the images of each step from the picked file and keeps them with the module, as long as the module
 * is at work. Where nothing is said in it, its scenes become what is to be named. Never rejects: images are an
 * ornament, and what is missing is made when its owner opens it.
 */
export async function sendImages(request: ImagesRequest, deps: ImagesDeps = IMAGES_IN_BROWSER): Promise<void> {
  try {
    // What cannot be decoded once cannot be decoded at any step.
    if (await sendPoster(request, deps)) await holdImages(request.moduleId, () => followSteps(request, deps))
  } catch (error) {
    if (!request.signal.aborted) console.info('Pictures of this module are not complete', error)
  }
}

/** @returns whether this browser can draw the video */
export async function sendPoster(request: ImagesRequest, deps = IMAGES_IN_BROWSER): Promise<boolean> {
  const { file, durationMs, signal } = request
  let isDrawn = false
  const poster = { file, timesMs: [posterTimeMs(durationMs)], maxWidthPx: POSTER_WIDTH_PX, signal }
  for await (const { blob } of deps.draw(poster)) {
    await keepImage(request, 'poster', blob)
    request.onKept?.('poster')
    isDrawn = true
  }
  return isDrawn
}

async function followSteps(request: ImagesRequest, deps: ImagesDeps): Promise<void> {
  const { moduleId, callApi, signal } = request
  const sentNames = new Set<ImageName>()
  for (let look = 0; look < MOST_LOOKS; look++) {
    const watched = request.findWatched?.(moduleId) ?? null
    // The end comes by socket before the last steps do, so it is read from the server.
    const module = watched?.status === 'PROCESSING' ? watched : await readModule(callApi, moduleId)
    if (module === 'gone') return
    if (module !== 'unknown' && isSilent(module.failureCode)) return void (await sendScenes(request, deps))
    const steps = module === 'unknown' ? [] : module.steps
    const spans = steps
      .map(({ start, end }) => ({ startMs: Math.round(start * 1000), endMs: Math.round(end * 1000) }))
      .filter(({ startMs }) => !sentNames.has(imageNameOf(startMs)))
    await sendSteps(request, spans, deps)
    for (const { startMs } of spans) sentNames.add(imageNameOf(startMs))
    if (module !== 'unknown' && module.status !== 'PROCESSING') return
    await deps.wait(LOOK_EVERY_MS, signal)
  }
}

async function sendSteps(request: ImagesRequest, spans: StepSpan[], deps: ImagesDeps): Promise<void> {
  const { file, signal } = request
  for await (const { startMs, ...images } of deps.drawSteps({ file, spans, signal })) {
    const name = imageNameOf(startMs)
    await keepStepImages(request, name, images)
    request.onKept?.(name)
  }
}

/**
 * Offers the scenes of a video without speech, each with its image; also that there are none.
 * @returns how many are offered then
 */
export async function sendScenes(request: ImagesRequest, deps = IMAGES_IN_BROWSER): Promise<number> {
  const { file, moduleId, durationMs, callApi, signal } = request
  const startsMs = await deps.findScenes(file, signal)
  const spans = startsMs.map((startMs, index) => ({ startMs, endMs: startsMs[index + 1] ?? durationMs ?? startMs }))
  // Before the scenes, so that none is shown without its image. One without can be named all the same.
  await sendSteps(request, spans, deps).catch(noteMissing)
  const path = `/api/steps/${encodeURIComponent(moduleId)}/proposals`
  const body = { starts: startsMs.map((startMs) => startMs / 1000) } satisfies OfferScenes
  const offer = () => callApi({ path, method: 'PUT', body, schema: ProposalsAnswer, signal })
  return (await callWithRetry(offer, { ...timing, signal })).proposals.length
}

/** A scene without an image can be named all the same. */
export const noteMissing = (error: unknown) => console.info('A picture of a scene could not be kept', error)
