import type { UploadItem } from '#web/features/upload/upload-item.ts'
import type { CallApi } from '#web/lib/api.ts'
import { readModule } from '#web/lib/module-cache.ts'

interface Options {
  callApi: CallApi
  /** Whether an upload needs the machine and the line. */
  isBusy: () => boolean
  /** Whether another person is signed in by now. */
  isOver: () => boolean
  wait?: (delayMs: number) => Promise<void>
}

/** How often the module is asked for while it is being processed, and how often at most. */
const LOOK = { everyMs: 10_000, most: 360 }

/**
 * Reads the screen of a video from the file that was uploaded, once its training is made: until then the machine may have
 * a recogniser to run. Never rejects: a training works without.
 */
export async function readUploadedScreen({ attempt, file }: UploadItem, options: Options): Promise<void> {
  if (attempt === null || file === null) return
  const { callApi, isBusy, isOver } = options
  const { moduleId } = attempt
  const stop = new AbortController()
  const { signal } = stop
  try {
    const language = await untilMade(moduleId, options)
    if (language === undefined) return
    const { readModuleScreen } = await import('#web/features/screen/read-module-screen.ts')
    const isBusyNow = () => {
      if (isOver()) stop.abort()
      return isBusy()
    }
    await readModuleScreen({ moduleId, openVideo: () => file, language, callApi, signal, isBusy: isBusyNow })
  } catch (error) {
    if (!signal.aborted) console.info('The screen of this video cannot be read here', error)
  }
}

/** @returns the language of the narration; undefined where there is no module any more, or it takes too long */
async function untilMade(
  moduleId: string,
  { callApi, isOver, wait = pause }: Options,
): Promise<string | null | undefined> {
  for (let look = 0; look < LOOK.most; look++) {
    await wait(LOOK.everyMs)
    if (isOver()) return undefined
    const module = await readModule(callApi, moduleId)
    if (module === 'gone') return undefined
    if (module !== 'unknown' && module.status !== 'PROCESSING') return module.language
  }
  return undefined
}

function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs))
}
