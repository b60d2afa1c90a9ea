import { afterEach, describe, expect, it, vi } from 'vitest'
import { convertFile, nameConverted, removeConverted } from './convert-file.ts'

const DAY_MS = 24 * 60 * 60_000

/** A browser's own storage, with folders of converted videos, and a web worker that answers this. */
function openScene(answers: object[], kept: string[] = []) {
  const folders = new Set(kept)
  const written = new File(['converted'], 'clip.mp4', { type: 'video/mp4' })
  const root = {
    keys: async function* () {
      yield* folders
    },
    getDirectoryHandle: async () => ({ getFileHandle: async () => ({ kind: 'file', getFile: async () => written }) }),
    removeEntry: async (name: string) => void folders.delete(name),
  }
  vi.stubGlobal('navigator', { storage: { getDirectory: async () => ({ getDirectoryHandle: async () => root }) } })
  class FakeWorker extends EventTarget {
    terminate() {}

    postMessage(message: object): void {
      if (!('task' in message)) return
      folders.add((message.task as { folder: string }).folder)
      for (const data of answers) this.dispatchEvent(new MessageEvent('message', { data }))
    }
  }
  vi.stubGlobal('Worker', FakeWorker)
  const percents: number[] = []
  const { signal } = new AbortController()
  const file = new File(['picked'], 'clip.mov')
  const convert = () => convertFile({ file, onProgress: (percent) => percents.push(percent), signal })
  return { convert, folders, percents, written }
}

afterEach(() => vi.unstubAllGlobals())

describe('convertFile', () => {
  it('brings the converted file, which stays in storage until it is removed', async () => {
    const answers = [{ answer: { percent: 1 } }, { answer: { percent: 100 } }, { done: true }]
    const { convert, folders, percents, written } = openScene(answers)
    const file = await convert()
    expect(file).toBe(written)
    expect(percents).toEqual([1, 100])
    expect(folders.size).toBe(1)
    await removeConverted(new File(['picked'], 'clip.mov'))
    expect(folders.size).toBe(1)
    await removeConverted(file)
    expect(folders.size).toBe(0)
  })

  it('leaves nothing in storage when it fails', async () => {
    const { convert, folders } = openScene([{ answer: { percent: 1 } }, { failed: 'Error: The storage is full' }])
    await expect(convert()).rejects.toThrow('The storage is full')
    expect(folders.size).toBe(0)
  })

  it('removes what other uploads have left for more than a day, and nothing younger', async () => {
    const old = `${Date.now() - DAY_MS - 60_000}-a`
    const young = `${Date.now() - DAY_MS + 60_000}-b`
    const { convert, folders } = openScene([{ done: true }], [old, young])
    await convert()
    expect(folders.has(old)).toBe(false)
    expect(folders.has(young)).toBe(true)
  })
})

describe('nameConverted', () => {
  it.each([
    ['clip.mov', 'clip.mp4'],
    ['Chapter 1.5 final.MKV', 'Chapter 1.5 final.mp4'],
    ['clip', 'clip.mp4'],
    ['.mov', 'video.mp4'],
    ['a/b\\c.mov', 'a b c.mp4'],
  ])('names the result of %s', (name, converted) => {
    expect(nameConverted(name)).toBe(converted)
  })
})
