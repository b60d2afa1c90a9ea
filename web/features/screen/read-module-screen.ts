import { Done } from '#contract/module.ts'
import {
  SCREEN_BLOCKS_MAX,
  SCREEN_READING_MAX_BYTES,
  SCREEN_SECRETS_MAX,
  ScreenAnswer,
  type ScreenReading,
} from '#contract/screen.ts'
import { joinBlocks, joinSecrets } from '#screen/join-blocks.ts'
import type { CallApi } from '#web/lib/api.ts'
import { setScreenProgress } from '#web/lib/screen-progress.ts'
import { engineLanguagesFor } from './engine-files.ts'
import { runScreenWorker, type ScreenEvents } from './run-screen-worker.ts'
import type { ScreenOrder } from './screen-messages.ts'
import { screenPath } from './screen-path.ts'

export interface ScreenRequest {
  moduleId: string
  /** The picked file, or an address of the stored video, which expires and is asked for again. */
  openVideo: () => Blob | Promise<string>
  /** BCP 47; null where it is unknown. */
  language: string | null
  callApi: CallApi
  signal: AbortSignal
  /** Whether something else needs the machine. */
  isBusy: () => boolean
}

export type RunWorker = (order: ScreenOrder, events: ScreenEvents) => Promise<void>

/**
 * Reads the screen of a module's video from where it was read up to, and stores what each part shows. In one tab of this
 * browser at a time.
 * @throws where this browser cannot read it, and what was read until then is stored
 */
export async function readModuleScreen(request: ScreenRequest, runWorker: RunWorker = runScreenWorker): Promise<void> {
  const read = () => readOn(request, runWorker)
  // Absent where the page is not served securely.
  if (navigator.locks === undefined) return read()
  await navigator.locks.request(`adapt-screen-${request.moduleId}`, { signal: request.signal }, read)
}

async function readOn(request: ScreenRequest, runWorker: RunWorker): Promise<void> {
  const { moduleId, callApi, signal } = request
  const path = screenPath(moduleId)
  const { readsScreen, reading, videoId: storedId } = await callApi({ path, schema: ScreenAnswer, signal })
  if (!readsScreen) return
  // What was read completely is read anew.
  let stored: ScreenReading | null = reading?.isDone === true ? null : reading
  setScreenProgress(moduleId, 0)
  try {
    while (stored?.isDone !== true) {
      const fromMs: number = stored?.readMs ?? 0
      const video = await request.openVideo()
      // A picked file is of the video that it was uploaded as, even where the training has another one by now.
      const videoId = typeof video === 'string' ? storedId : moduleId
      const order = { video, fromMs, languages: engineLanguagesFor(request.language) }
      const onReading = async (part: ScreenReading) => {
        stored = append(stored, part)
        await callApi({ path, method: 'PUT', body: { ...stored, videoId }, schema: Done, signal })
      }
      const onProgress = (percent: number) => setScreenProgress(moduleId, percent)
      try {
        await runWorker(order, { onReading, onProgress, isBusy: request.isBusy, signal })
      } catch (error) {
        // The address of a stored video may have expired; without any progress it is something else.
        if (signal.aborted || (stored?.readMs ?? 0) <= fromMs) throw error
      }
    }
  } finally {
    setScreenProgress(moduleId, null)
  }
}

/** Adds what a part of the video shows, as far as there is room for it. */
export function append(before: ScreenReading | null, part: ScreenReading): ScreenReading {
  const blocks = joinBlocks([...(before?.blocks ?? []), ...part.blocks]).slice(0, SCREEN_BLOCKS_MAX)
  const secrets = joinSecrets([...(before?.secrets ?? []), ...part.secrets]).slice(0, SCREEN_SECRETS_MAX)
  const whole = { ...part, blocks, secrets }
  while (new Blob([JSON.stringify(whole)]).size > SCREEN_READING_MAX_BYTES) {
    // Commands are what people look for.
    const rest = whole.blocks.filter(({ kind }) => kind !== 'command')
    const left = new Set((rest.length > 0 ? rest : whole.blocks).slice(-100))
    whole.blocks = whole.blocks.filter((block) => !left.has(block))
  }
  return whole
}
