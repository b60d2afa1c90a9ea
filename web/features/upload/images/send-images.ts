import type { ImageName } from '#contract/image.ts'
import { imageNameOf } from '#contract/image-url.ts'
import { Done } from '#contract/module.ts'
import type { CallApi } from '#web/lib/api.ts'
import { POSTER_WIDTH_PX, posterTimeMs, THUMBNAIL_WIDTH_PX } from '#web/lib/encode-image.ts'
import { readModule } from '#web/lib/module-cache.ts'
import { makeImages } from '../file-worker/run-file-task.ts'
import { wait } from '../transfer.ts'
import type { DrawnImage } from './draw-images.ts'

export interface ImagesRequest {
  file: File
  moduleId: string
  /** Null when it is not known. */
  durationMs: number | null
  callApi: CallApi
  signal: AbortSignal
}

export interface ImagesDeps {
  draw: (order: { file: File; timesMs: number[]; maxWidthPx: number; signal: AbortSignal }) => AsyncIterable<DrawnImage>
  wait: (delayMs: number, signal: AbortSignal) => Promise<void>
}

const IN_BROWSER: ImagesDeps = { draw: makeImages, wait }

/** Steps come one after the other while a module is processed. */
const LOOK_EVERY_MS = 10_000
/** A tab that is left open does not poll forever. */
const MOST_LOOKS = 360

/**
 * Draws a poster and a image of each step from the picked file and keeps them with the module, as long as the module
 * is at work. Never rejects: images are an ornament, and what is missing is made when the video plays.
 */
export async function sendImages(request: ImagesRequest, deps: ImagesDeps = IN_BROWSER): Promise<void> {
  const { file, durationMs, signal } = request
  try {
    const poster = { file, timesMs: [posterTimeMs(durationMs)], maxWidthPx: POSTER_WIDTH_PX, signal }
    let isDrawn = false
    for await (const { blob } of deps.draw(poster)) isDrawn = await keep(request, 'poster', blob)
    // What cannot be decoded once cannot be decoded at any step.
    if (isDrawn) await followSteps(request, deps)
  } catch (error) {
    if (!signal.aborted) console.info('Pictures of this module are not complete', error)
  }
}

async function followSteps(request: ImagesRequest, deps: ImagesDeps): Promise<void> {
  const { file, moduleId, callApi, signal } = request
  const kept = new Set<ImageName>()
  for (let look = 0; look < MOST_LOOKS; look++) {
    const module = await readModule(callApi, moduleId)
    if (module === 'gone') return
    const steps = module === 'unknown' ? [] : module.steps
    const starts = steps.map(({ start }) => Math.round(start * 1000))
    const timesMs = starts.filter((startMs) => !kept.has(imageNameOf(startMs)))
    for await (const { timeMs, blob } of deps.draw({ file, timesMs, maxWidthPx: THUMBNAIL_WIDTH_PX, signal })) {
      await keep(request, imageNameOf(timeMs), blob)
    }
    for (const startMs of timesMs) kept.add(imageNameOf(startMs))
    if (module !== 'unknown' && module.status !== 'PROCESSING') return
    await deps.wait(LOOK_EVERY_MS, signal)
  }
}

async function keep({ moduleId, callApi, signal }: ImagesRequest, name: ImageName, content: Blob): Promise<boolean> {
  const path = `/api/modules/${encodeURIComponent(moduleId)}/images/${name}`
  await callApi({ path, method: 'PUT', file: { content, contentType: content.type }, schema: Done, signal })
  return true
}
