import { Done, ModuleAnswer } from '#contract/module.ts'
import type { PictureName } from '#contract/picture.ts'
import { pictureNameOf } from '#contract/picture-url.ts'
import type { CallApi } from '#web/lib/api-context.tsx'
import { POSTER_WIDTH_PX, posterTimeMs, THUMBNAIL_WIDTH_PX } from '#web/lib/encode-picture.ts'
import { canPass } from '#web/lib/query-client.ts'
import { timing } from '../wait.ts'
import type { DrawnPicture } from './draw-pictures.ts'
import { makePictures } from './make-pictures.ts'

export interface PicturesRequest {
  file: File
  moduleId: string
  /** Null when it is not known. */
  durationMs: number | null
  callApi: CallApi
  signal: AbortSignal
}

export interface PicturesDeps {
  draw: (order: {
    file: File
    timesMs: number[]
    maxWidthPx: number
    signal: AbortSignal
  }) => AsyncIterable<DrawnPicture>
  wait: (delayMs: number, signal: AbortSignal) => Promise<void>
}

const IN_BROWSER: PicturesDeps = {
  draw: ({ file, timesMs, ...options }) => makePictures(file, timesMs, options),
  wait: timing.wait,
}

/** Steps come one after the other while a module is processed. */
const LOOK_EVERY_MS = 10_000
/** A tab that is left open does not poll forever. */
const MOST_LOOKS = 360

/**
 * Draws a poster and a picture of each step from the picked file and keeps them with the module, as long as the module
 * is at work. Never rejects: pictures are an ornament, and what is missing is made when the video plays.
 */
export async function sendPictures(request: PicturesRequest, deps: PicturesDeps = IN_BROWSER): Promise<void> {
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

async function followSteps(request: PicturesRequest, deps: PicturesDeps): Promise<void> {
  const { file, moduleId, callApi, signal } = request
  const path = `/api/modules/${encodeURIComponent(moduleId)}`
  const kept = new Set<PictureName>()
  for (let look = 0; look < MOST_LOOKS; look++) {
    const module = await findModule(() => callApi({ path, schema: ModuleAnswer, signal }))
    const starts = (module?.steps ?? []).map(({ start }) => Math.round(start * 1000))
    const timesMs = starts.filter((startMs) => !kept.has(pictureNameOf(startMs)))
    for await (const { timeMs, blob } of deps.draw({ file, timesMs, maxWidthPx: THUMBNAIL_WIDTH_PX, signal })) {
      await keep(request, pictureNameOf(timeMs), blob)
    }
    for (const startMs of timesMs) kept.add(pictureNameOf(startMs))
    if (module !== null && module.status !== 'PROCESSING') return
    await deps.wait(LOOK_EVERY_MS, signal)
  }
}

/** Null when it could not be loaded now. */
async function findModule(ask: () => Promise<ModuleAnswer>): Promise<ModuleAnswer['module'] | null> {
  try {
    return (await ask()).module
  } catch (error) {
    if (error instanceof Error && error.name !== 'AbortError' && canPass(error)) return null
    throw error
  }
}

async function keep(
  { moduleId, callApi, signal }: PicturesRequest,
  name: PictureName,
  content: Blob,
): Promise<boolean> {
  const path = `/api/modules/${encodeURIComponent(moduleId)}/pictures/${name}`
  await callApi({ path, method: 'PUT', file: { content, contentType: content.type }, schema: Done, signal })
  return true
}
