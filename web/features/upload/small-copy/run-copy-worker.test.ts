import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CopyOrder, FromCopyWorker, ToCopyWorker } from './copy-messages.ts'
import type { CopyWait } from './copy-wait.ts'
import { runCopyWorker } from './run-copy-worker.ts'

const ORDER: CopyOrder = { video: '/v', cuts: [], stepStartsMs: [], audioTrackId: null, folder: 'f', name: 'n' }
const LOOK_MS = 1_000

/** A worker that does nothing by itself. */
class StillWorker extends EventTarget {
  static last: StillWorker
  readonly told: ToCopyWorker[] = []
  isOver = false
  constructor() {
    super()
    StillWorker.last = this
  }
  postMessage(message: ToCopyWorker) {
    this.told.push(message)
  }
  terminate() {
    this.isOver = true
  }
  say(data: FromCopyWorker) {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

function run() {
  const now = { wait: null as CopyWait | null }
  const waits: (CopyWait | null)[] = []
  const stop = new AbortController()
  const made = runCopyWorker(ORDER, {
    onProgress: () => {},
    findWait: () => now.wait,
    onWait: (wait) => waits.push(wait),
    signal: stop.signal,
  })
  return { now, waits, stop, made, worker: StillWorker.last }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('Worker', StillWorker)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('pauses while something else comes first, says what, and goes on', async () => {
  const { now, waits, made, worker } = run()
  const wait = async (next: CopyWait | null) => {
    now.wait = next
    await vi.advanceTimersByTimeAsync(LOOK_MS)
  }
  await wait(null)
  await wait('video')
  await wait('video')
  await wait('upload')
  await wait(null)
  expect(waits).toEqual(['video', 'upload', null])
  // One reason after the other is one pause.
  expect(worker.told).toEqual([{ order: ORDER }, { isPaused: true }, { isPaused: false }])
  worker.say({ made: null })
  expect(await made).toBeNull()
})

it('waits for nothing any more once it is stopped', async () => {
  const { now, waits, stop, made, worker } = run()
  now.wait = 'sparing'
  await vi.advanceTimersByTimeAsync(LOOK_MS)
  stop.abort(new Error('stopped'))
  await expect(made).rejects.toThrow('stopped')
  expect(waits).toEqual(['sparing', null])
  expect(worker.isOver).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})
