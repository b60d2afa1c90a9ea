import { createStore } from 'zustand/vanilla'
import type { Cuts } from '#contract/time/visible-time.ts'
import type { CallApi } from '#web/lib/api.ts'
import { useStore } from '#web/lib/use-store.ts'
import type { CopyWait } from './copy-wait.ts'
import type { CopyOutcome, CopyRequest } from './make-module-copy.ts'

interface CopyState {
  /** Trainings whose copies are to be made, the one that is being made first. */
  moduleIds: readonly string[]
  /** Of the first one. */
  percent: number
  /** What the first one waits for; null while it is being made. */
  wait: CopyWait | null
  /** Trainings whose copies could not be made since work began. */
  failedIds: readonly string[]
}

interface CopyExtras {
  /** Of a training that has just been uploaded; null: its stored video is read. */
  file: Blob | null
  /** What a person asks to be left out of it; null: the copy is made of the whole if it is lacking. */
  cuts: Cuts | null
}

const NO_EXTRAS: CopyExtras = { file: null, cuts: null }

interface QueueDeps {
  callApi: CallApi
  /** Whether an upload needs the machine and the line. */
  isUploading: () => boolean
  /** Whether data or the battery is to be spared; left out where a person has asked for the copy. */
  isSparing?: () => boolean
  makeModuleCopy?: (request: CopyRequest) => Promise<CopyOutcome>
}

const IDLE: CopyState = { moduleIds: [], percent: 0, wait: null, failedIds: [] }

/** Makes small copies one after the other for as long as this tab is open, whatever page it shows. */
class CopyQueue {
  readonly store = createStore<CopyState>(() => IDLE)
  readonly #waiting = new Map<string, CopyExtras & QueueDeps>()
  #stop = new AbortController()
  /** Whether a person waits for what is in it: nothing is spared then, also of what comes before. */
  #isAskedFor = false

  add(moduleIds: readonly string[], deps: QueueDeps, extras: Partial<CopyExtras> = {}): void {
    const { moduleIds: before } = this.store.getState()
    const fresh = moduleIds.filter((id) => !before.includes(id))
    this.#isAskedFor ||= deps.isSparing === undefined
    if (fresh.length === 0) return
    for (const id of fresh) this.#waiting.set(id, { ...NO_EXTRAS, ...extras, ...deps })
    this.store.setState({
      moduleIds: [...before, ...fresh],
      ...(before.length === 0 && { percent: 0, wait: null, failedIds: [] }),
    })
    if (before.length === 0) void this.#work()
  }

  /** Nothing more is made; what is being made is given up. */
  stop(): void {
    this.#stop.abort()
    this.#stop = new AbortController()
    this.#waiting.clear()
    this.store.setState(IDLE)
    this.#isAskedFor = false
  }

  async #work(): Promise<void> {
    const { signal } = this.#stop
    for (let [next] = this.store.getState().moduleIds; next !== undefined && !signal.aborted; ) {
      const isMade = await this.#make(next, signal)
      if (signal.aborted) return
      const { moduleIds, failedIds } = this.store.getState()
      const [, ...rest] = moduleIds
      this.store.setState({
        moduleIds: rest,
        percent: 0,
        wait: null,
        failedIds: isMade ? failedIds : [...failedIds, next],
      })
      ;[next] = rest
    }
    this.#isAskedFor = false
  }

  async #make(moduleId: string, signal: AbortSignal): Promise<boolean> {
    const waiting = this.#waiting.get(moduleId)
    if (waiting === undefined) return true
    // At once: by the end it may wait anew.
    this.#waiting.delete(moduleId)
    const { makeModuleCopy, isUploading, isSparing, ...request } = waiting
    const note = (state: Partial<CopyState>) => !signal.aborted && this.store.setState(state)
    const events = {
      findWait: () => findWait({ isUploading, isSparing: () => !this.#isAskedFor && isSparing?.() === true }),
      onWait: (wait: CopyWait | null) => note({ wait }),
      onProgress: (percent: number) => note({ percent }),
    }
    try {
      const make = makeModuleCopy ?? (await import('./make-module-copy.ts')).makeModuleCopy
      return (await make({ ...request, ...events, moduleId, signal })) !== 'given up'
    } catch (error) {
      // A training works without; another browser of its owners may be able to.
      if (!signal.aborted) console.info('The small copy of a video cannot be made here', error)
      return false
    }
  }
}

function findWait({ isUploading, isSparing }: Required<Pick<QueueDeps, 'isUploading' | 'isSparing'>>): CopyWait | null {
  // A person who watches comes first.
  if (isVideoPlaying()) return 'video'
  if (isUploading()) return 'upload'
  return isSparing() ? 'sparing' : null
}

function isVideoPlaying(): boolean {
  return [...document.querySelectorAll('video')].some((video) => !video.paused)
}

export const copyQueue = new CopyQueue()

export function useCopyQueue(): CopyState {
  return useStore(copyQueue.store)
}
