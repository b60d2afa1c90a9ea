import { afterEach, describe, expect, it, vi } from 'vitest'
import { convertFile, nameConverted, removeConverted } from './convert-file.ts'

const DAY_MS = 24 * 60 * 60_000

const FOLDER_BYTES = 100

/** A browser's own storage, with folders of converted videos, and a web worker that answers this. */
function openScene(answers: object[], kept: string[] = [], quota = 1_000) {
  const folders = new Set(kept)
  const written = new File(['converted'], 'clip.mp4', { type: 'video/mp4' })
  const root = {
    keys: async function* () {
      yield* folders
    },
    getDirectoryHandle: async () => ({ getFileHandle: async () => ({ kind: 'file', getFile: async () => written }) }),
    removeEntry: async (name: string) => void folders.delete(name),
  }
  const estimate = async () => ({ quota, usage: folders.size * FOLDER_BYTES })
  const getDirectory = async () => ({ getDirectoryHandle: async () => root })
  vi.stubGlobal('navigator', { storage: { getDirectory, estimate } })
  const tasks: object[] = []
  class FakeWorker extends EventTarget {
    terminate() {}

    postMessage(message: object): void {
      if (!('task' in message)) return
      const task = message.task as { folder: string }
      tasks.push(task)
      folders.add(task.folder)
      for (const data of answers) this.dispatchEvent(new MessageEvent('message', { data }))
    }
  }
  vi.stubGlobal('Worker', FakeWorker)
  const percents: number[] = []
  const { signal } = new AbortController()
  const file = new File(['picked'], 'clip.mov')
  const convert = () =>
    convertFile({ file, knownDurationMs: 60_000, onProgress: (percent) => percents.push(percent), signal })
  return { convert, folders, percents, tasks, written }
}

afterEach(() => vi.unstubAllGlobals())

describe('convertFile', () => {
  it('brings the converted file, which stays in storage until it is removed', async () => {
    const answers = [{ answer: { percent: 1 } }, { answer: { percent: 100 } }, { done: true }]
    const { convert, folders, percents, tasks, written } = openScene(answers)
    const file = await convert()
    expect(file).toBe(written)
    expect(percents).toEqual([1, 100])
    expect(tasks).toMatchObject([{ kind: 'convert', name: 'clip.mp4', knownDurationMs: 60_000 }])
    expect(folders.size).toBe(1)
    await removeConverted(new File(['picked'], 'clip.mov'))
    expect(folders.size).toBe(1)
    await removeConverted(file)
    expect(folders.size).toBe(0)
  })

  it('leaves nothing in storage when it fails', async () => {
    const failed = { name: 'Error', message: 'The storage is full' }
    const { convert, folders } = openScene([{ answer: { percent: 1 } }, { failed }])
    await expect(convert()).rejects.toThrow('The storage is full')
    expect(folders.size).toBe(0)
  })

  it('does not begin where storage has no room for as much as the picked file', async () => {
    const young = `${Date.now()}-b`
    const { convert, folders } = openScene([{ done: true }], [young], FOLDER_BYTES + 'picked'.length - 1)
    await expect(convert()).rejects.toThrow(expect.objectContaining({ name: 'QuotaExceededError' }))
    expect([...folders]).toEqual([young])
  })

  it('counts the room that conversions of the days before will leave', async () => {
    const { convert, written } = openScene([{ done: true }], ['0-a'], FOLDER_BYTES)
    expect(await convert()).toBe(written)
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
