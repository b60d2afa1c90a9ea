import { afterEach, describe, expect, it, vi } from 'vitest'
import { type FileHandle, keptFiles, openKept } from './kept-files.ts'
import { pickFiles, readDrop } from './pick-files.tsx'

afterEach(() => vi.unstubAllGlobals())

const file = new File(['x'], 'talk.mp4', { type: 'video/mp4' })

function makeHandle(change: Partial<FileHandle> = {}): FileHandle {
  return { kind: 'file', getFile: async () => file, ...change }
}

describe('pickFiles', () => {
  it('brings the files of the dialog', async () => {
    const open = vi.fn(async () => [makeHandle()])
    vi.stubGlobal('showOpenFilePicker', open)
    expect(await pickFiles({ isMultiple: true })).toEqual([file])
    const accept = expect.objectContaining({ 'text/vtt': ['.vtt'], 'application/x-subrip': ['.srt'] })
    expect(open).toHaveBeenCalledWith({ types: [expect.objectContaining({ accept })], multiple: true })
  })

  it('brings nothing when the dialog is closed', async () => {
    const close = () => Promise.reject(new DOMException('closed', 'AbortError'))
    vi.stubGlobal('showOpenFilePicker', close)
    expect(await pickFiles({ isMultiple: true })).toEqual([])
  })
})

describe('readDrop', () => {
  it('brings the files at once, whether the browser keeps a way back or not', () => {
    const item = { kind: 'file', getAsFileSystemHandle: async () => makeHandle() }
    const transfer = { files: [file], items: [{ kind: 'string' }, item] } as unknown as DataTransfer
    expect(readDrop(transfer)).toEqual([file])
    expect(readDrop({ files: [file] } as unknown as DataTransfer)).toEqual([file])
  })
})

describe('openKept', () => {
  it('asks for permission where it has lapsed', async () => {
    const requestPermission = vi.fn(async () => 'granted' as const)
    const handle = makeHandle({ queryPermission: async () => 'prompt', requestPermission })
    expect(await openKept(handle)).toBe(file)
    expect(requestPermission).toHaveBeenCalledOnce()
  })

  it.each([
    ['permission is refused', { queryPermission: async () => 'denied' as const }],
    ['the file is gone', { getFile: () => Promise.reject(new DOMException('gone', 'NotFoundError')) }],
  ])('brings nothing when %s', async (_what, change) => {
    expect(await openKept(makeHandle(change))).toBeNull()
  })
})

it('does without the browser’s storage where there is none', async () => {
  await keptFiles.keep('m1', file)
  expect(await keptFiles.find('m1')).toBeNull()
})
