import { describe, expect, it, vi } from 'vitest'
import { findFileFault } from './file-fault.ts'
import { type FileHandle, noteHandle } from './kept-files.ts'

const LONG_AGO = 1_700_000_000_000
const PICKED = { isJustPicked: true }
const LATER = { isJustPicked: false, momentMs: 0 }

const makeFile = (content: string, lastModified: number) =>
  new File([content], 'talk.mp4', { type: 'video/mp4', lastModified })

/** A file whose bytes the browser refuses, as it does once the disk holds another one. */
function makeUnreadable(error: string, lastModified = LONG_AGO): File {
  const file = makeFile('x', lastModified)
  const slice = new Blob()
  vi.spyOn(slice, 'arrayBuffer').mockRejectedValue(new DOMException('', error))
  vi.spyOn(file, 'slice').mockReturnValue(slice)
  return file
}

/** Each look at the disk finds the next of these. */
function keep(file: File, ...looks: (() => File)[]): File {
  const getFile = async () => {
    const look = looks.length > 1 ? looks.shift() : looks[0]
    return look?.() ?? file
  }
  noteHandle(file, { kind: 'file', getFile } satisfies FileHandle)
  return file
}

describe('findFileFault', () => {
  it('finds none in a file that is as it was picked', async () => {
    for (const options of [PICKED, LATER]) {
      expect(await findFileFault(makeFile('x', LONG_AGO), options)).toBeNull()
      expect(await findFileFault(keep(makeFile('x', Date.now())), options)).toBeNull()
      expect(await findFileFault(makeFile('', LONG_AGO), options)).toBeNull()
    }
  })

  it('finds a recording that goes on, at once and a moment later', async () => {
    const now = Date.now()
    const longer = () => makeFile('xyz', now)
    expect(await findFileFault(keep(makeFile('x', now), longer), PICKED)).toBe('growing')
    expect(await findFileFault(keep(makeFile('x', now), longer), LATER)).toBe('growing')
    expect(
      await findFileFault(
        keep(makeFile('x', LONG_AGO), () => makeFile('x', now)),
        PICKED,
      ),
    ).toBe('growing')
    // Without a way back the snapshot that was overtaken says so.
    expect(await findFileFault(makeUnreadable('NotReadableError', now), PICKED)).toBe('growing')
  })

  it('tells a recording that goes on from a file that was saved again long ago', async () => {
    const saved = keep(makeFile('x', LONG_AGO), () => makeFile('xyz', LONG_AGO + 1))
    expect(await findFileFault(saved, LATER)).toBe('changed')
    expect(await findFileFault(saved, PICKED)).toBe('changed')
  })

  it('looks again a moment after a file that has just been written', async () => {
    const file = makeFile('x', Date.now())
    let looks = 0
    keep(file, () => {
      looks += 1
      return file
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const fault = findFileFault(file, { isJustPicked: false })
      await vi.advanceTimersByTimeAsync(999)
      expect(looks).toBe(0)
      await vi.advanceTimersByTimeAsync(1)
      expect(looks).toBe(1)
      vi.useRealTimers()
      expect(await fault).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })

  it('tells a file that was never on this device from one that was changed or removed', async () => {
    expect(await findFileFault(makeUnreadable('NotReadableError'), PICKED)).toBe('in_cloud')
    expect(await findFileFault(makeUnreadable('NotReadableError'), LATER)).toBe('changed')
    expect(await findFileFault(makeUnreadable('NotFoundError'), PICKED)).toBe('changed')
    const removed = () => {
      throw new DOMException('', 'NotFoundError')
    }
    expect(await findFileFault(keep(makeFile('x', LONG_AGO), removed), LATER)).toBe('changed')
  })
})
