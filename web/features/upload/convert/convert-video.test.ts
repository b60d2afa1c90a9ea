import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endingStalled, writeTo } from './convert-video.ts'

const MINUTE_MS = 60_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Work that the test ends, and how it ended. */
function watchWork() {
  const work = Promise.withResolvers<void>()
  let noteProgress = () => {}
  const ended = vi.fn<(how: string) => void>()
  const watched = endingStalled((note) => {
    noteProgress = note
    return work.promise
  })
  void watched.then(
    () => ended('done'),
    (error: Error) => ended(error.name),
  )
  return { work, ended, noteProgress: () => noteProgress() }
}

it('ends where the storage takes less than is written', async () => {
  const full = writeTo({ write: () => 2 }).getWriter()
  const data = Uint8Array.of(1, 2, 3)
  await expect(full.write({ type: 'write', data, position: 0 })).rejects.toMatchObject({ name: 'QuotaExceededError' })
})

describe('endingStalled', () => {
  it('ends work that gets no further for a minute', async () => {
    const { ended } = watchWork()
    await vi.advanceTimersByTimeAsync(MINUTE_MS)
    expect(ended).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(MINUTE_MS / 2)
    expect(ended).toHaveBeenCalledWith('TimeoutError')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves slow work alone, however long it takes', async () => {
    const { work, ended, noteProgress } = watchWork()
    for (let minute = 0; minute < 60; minute++) {
      await vi.advanceTimersByTimeAsync(MINUTE_MS)
      noteProgress()
    }
    expect(ended).not.toHaveBeenCalled()
    work.resolve()
    await vi.advanceTimersByTimeAsync(0)
    expect(ended).toHaveBeenCalledWith('done')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('passes on why work has failed', async () => {
    const { work, ended } = watchWork()
    work.reject(new DOMException('', 'QuotaExceededError'))
    await vi.advanceTimersByTimeAsync(0)
    expect(ended).toHaveBeenCalledWith('QuotaExceededError')
    expect(vi.getTimerCount()).toBe(0)
  })
})
