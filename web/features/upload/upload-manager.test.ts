import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '#web/lib/api-error.ts'
import {
  ANSWERS,
  COMPLETE,
  DISCARD,
  fakeUploads,
  MIB,
  makeUpload,
  makeVideo,
  PART_ANSWERS,
  PRESIGN,
  quickStorage,
  UNREMARKABLE,
} from './testing/fake-uploads.ts'
import type { ManagerDeps } from './upload-manager.ts'

const CURRENT = 'GET /api/upload/m1'
const SILENT = {
  ...UNREMARKABLE,
  problem: { title: 'No audio', whatToDo: 'Add captions.', canBeSent: true },
}
const BROKEN = { ...UNREMARKABLE, problem: { title: 'Incomplete', whatToDo: 'Copy it again.', canBeSent: false } }

function fail(status: number): () => never {
  return () => {
    throw new ApiError({ status, code: 'x', message: 'Because.' })
  }
}

const largeVideo = () => makeVideo('talk.mp4', 20 * MIB)

describe('an upload', () => {
  it('goes through the states of the specification [spec 4.9]', async () => {
    const { manager, item, storage } = fakeUploads()
    const states: string[] = []
    manager.subscribe(() => {
      const { status, progress } = item() ?? { status: '', progress: 0 }
      if (states.at(-1) !== `${status} ${progress}`) states.push(`${status} ${progress}`)
    })
    manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
    storage.end(200)
    await vi.waitFor(() => expect(item()?.status).toBe('done'))
    expect(states).toEqual(['idle 0', 'uploading 5', 'processing 99', 'done 100'])
  })

  it('refuses other files while it runs', async () => {
    const { manager, item, storage } = fakeUploads()
    manager.addFiles([makeVideo('one.mp4')])
    manager.addFiles([makeVideo('two.mp4')])
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
    expect(manager.getState().items).toHaveLength(1)
    expect(item()?.name).toBe('one.mp4')
  })

  it('notifies once of its end, and never of a cancel', async () => {
    const { manager, storage } = fakeUploads()
    const ended = vi.fn()
    manager.onEnd(ended)
    manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
    manager.cancel()
    manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(storage.puts).toHaveLength(2))
    storage.end(200)
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce())
    expect(ended.mock.calls[0]?.[0]).toMatchObject({ status: 'done', moduleId: 'm1' })
  })

  it('lets the audio go first, and the bytes once the line is free', async () => {
    const sent = Promise.withResolvers<number>()
    const sendAudioFirst = vi.fn<ManagerDeps['sendAudioFirst']>(() => sent.promise)
    const { manager, storage, item } = fakeUploads(undefined, { sendAudioFirst })
    manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(sendAudioFirst).toHaveBeenCalledOnce())
    const audio = sendAudioFirst.mock.calls[0]?.[0]
    expect(audio?.moduleId).toBe('m1')
    expect(storage.puts).toEqual([])
    audio?.onHeadStart()
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
    expect(item()?.isAudioSent).toBe(false)
    sent.resolve(1)
    await vi.waitFor(() => expect(item()?.isAudioSent).toBe(true))
  })

  it('needs no audio where captions go along', async () => {
    const sendAudioFirst = vi.fn<ManagerDeps['sendAudioFirst']>(async () => 0)
    const { manager, storage } = fakeUploads(undefined, { sendAudioFirst })
    manager.addFiles([makeVideo(), new File(['WEBVTT'], 'talk.vtt')])
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
    expect(sendAudioFirst).not.toHaveBeenCalled()
  })

  it('does not hand its captions to the next video', async () => {
    const { manager, storage, item } = fakeUploads()
    manager.addFiles([makeVideo(), new File(['WEBVTT'], 'talk.vtt')])
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
    storage.end(200)
    await vi.waitFor(() => expect(item()?.status).toBe('done'))
    expect(manager.getState().captions).toBeNull()
  })
})

describe('a canceled upload', () => {
  it('is taken back on the server, and is never completed', async () => {
    const { manager, item, storage, calls } = fakeUploads()
    manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
    manager.cancel()
    expect(item()).toMatchObject({ status: 'canceled', message: 'canceled', progress: 0 })
    storage.end(200)
    await vi.waitFor(() => expect(calls).toEqual([PRESIGN, DISCARD]))
  })

  it('is taken back when the module arrives after the cancel [fault 3]', async () => {
    let answer: (value: unknown) => void = () => {}
    const presigned = new Promise((resolve) => {
      answer = resolve
    })
    const { manager, storage, calls } = fakeUploads({ ...PART_ANSWERS, [PRESIGN]: () => presigned })
    manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(calls).toEqual([PRESIGN]))
    manager.cancel()
    answer(PART_ANSWERS[PRESIGN]?.())
    await vi.waitFor(() => expect(calls).toEqual([PRESIGN, DISCARD]))
    expect(storage.puts).toEqual([])
  })
})

describe('a large upload', () => {
  it('goes in parts, can be held, and keeps a way back to its file', async () => {
    const { manager, item, storage, kept } = fakeUploads(PART_ANSWERS)
    const file = largeVideo()
    manager.addFiles([file])
    await vi.waitFor(() => expect(storage.puts).toHaveLength(3))
    expect(item()).toMatchObject({ canPause: true, moduleId: 'm1' })
    expect(kept.get('m1')).toBe(file)
    manager.setPaused(true)
    expect(item()).toMatchObject({ status: 'uploading', isPaused: true })
    manager.setPaused(false)
    await vi.waitFor(() => expect(storage.puts).toHaveLength(6))
    for (const index of [3, 4, 5]) storage.end(200, index)
    await vi.waitFor(() => expect(item()?.status).toBe('done'))
    expect(kept.size).toBe(0)
  })

  it('is locked in this browser while it goes; one that goes in one piece cannot be resumed, and is not', async () => {
    const held = new Set<string>()
    const hold = (moduleId: string) => {
      held.add(moduleId)
      return () => void held.delete(moduleId)
    }
    const locks = { hold, list: async () => held }
    const large = fakeUploads(PART_ANSWERS, { locks })
    large.manager.addFiles([largeVideo()])
    await vi.waitFor(() => expect([...held]).toEqual(['m1']))
    large.manager.cancel()
    await vi.waitFor(() => expect([...held]).toEqual([]))
    const small = fakeUploads(ANSWERS, { locks })
    small.manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(small.storage.puts).toHaveLength(1))
    expect([...held]).toEqual([])
    small.storage.end(200)
    await vi.waitFor(() => expect(small.item()?.status).toBe('done'))
  })

  it('resumes from what has arrived after a failure', async () => {
    let status = 400
    const storage = quickStorage((url) => (url === 'p3' ? { status } : {}))
    const upload = () => makeUpload({ parts: [1, 2].map((part) => ({ part, etag: 'e', sizeBytes: 8 * MIB })) })
    const answers = { ...PART_ANSWERS, [CURRENT]: () => ({ success: true, upload: upload() }) }
    const { manager, item } = fakeUploads(answers, { putFile: storage.putFile })
    manager.addFiles([largeVideo()])
    await vi.waitFor(() => expect(item()).toMatchObject({ message: 'storage PUT failed: 400', retry: 'continue' }))
    storage.urls.length = 0
    status = 200
    const failed = item()
    if (failed) manager.retry(failed)
    await vi.waitFor(() => expect(item()?.status).toBe('done'))
    expect(storage.urls).toEqual(['p3'])
  })

  it('only confirms again when that is all that failed', async () => {
    const answers: Record<string, () => unknown> = { ...PART_ANSWERS, [COMPLETE]: fail(503) }
    const { manager, item, calls } = fakeUploads(answers, { putFile: quickStorage().putFile })
    manager.addFiles([largeVideo()])
    await vi.waitFor(() => expect(item()).toMatchObject({ message: 'complete failed: 503', retry: 'continue' }))
    answers[COMPLETE] = PART_ANSWERS[COMPLETE] ?? fail(500)
    calls.length = 0
    const failed = item()
    if (failed) manager.retry(failed)
    await vi.waitFor(() => expect(item()?.status).toBe('done'))
    expect(calls).toEqual([COMPLETE])
  })

  it('starts from the beginning when the server has refused the file', async () => {
    const answers = { ...PART_ANSWERS, [COMPLETE]: fail(422) }
    const { manager, item } = fakeUploads(answers, { putFile: quickStorage().putFile })
    manager.addFiles([largeVideo()])
    await vi.waitFor(() => expect(item()).toMatchObject({ message: 'complete failed: 422', retry: 'again' }))
  })
})

describe('an upload of an earlier session', () => {
  const answers = { ...PART_ANSWERS, [CURRENT]: () => ({ success: true, upload: makeUpload() }) }

  it('resumes with the same file, and sends only the missing parts', async () => {
    const storage = quickStorage()
    const { manager, item, calls } = fakeUploads(answers, { putFile: storage.putFile })
    expect(await manager.continueUpload(makeUpload(), largeVideo())).toBe(true)
    await vi.waitFor(() => expect(item()?.status).toBe('done'))
    expect(storage.urls.toSorted()).toEqual(['p2', 'p3'])
    expect(calls).not.toContain(PRESIGN)
  })

  it.each([
    ['another size', makeVideo('talk.mp4', 19 * MIB)],
    ['another content', makeVideo('other.mp4', 20 * MIB)],
  ])('does not resume with a file of %s', async (_what, file) => {
    const { manager, calls } = fakeUploads(answers)
    expect(await manager.continueUpload(makeUpload(), file)).toBe(false)
    expect(calls).toEqual([])
    expect(manager.isBusy).toBe(false)
  })

  it('needs no file when only the confirmation was lost', async () => {
    const { manager, item, calls } = fakeUploads(answers)
    manager.finish(makeUpload())
    await vi.waitFor(() => expect(item()?.status).toBe('done'))
    expect(calls).toEqual([COMPLETE])
  })
})

describe('a doubtful file', () => {
  it('is not sent before the person has decided', async () => {
    const { manager, item, storage, calls } = fakeUploads(undefined, { inspectVideo: async () => SILENT })
    manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(item()).toMatchObject({ status: 'idle', message: 'No audio', retry: 'anyway' }))
    expect(calls).toEqual([])
    const doubtful = item()
    if (doubtful) manager.retry(doubtful)
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
  })

  it('is sent when captions stand in for its audio', async () => {
    const { manager, storage } = fakeUploads(undefined, { inspectVideo: async () => SILENT })
    manager.addFiles([makeVideo(), new File(['WEBVTT'], 'talk.vtt')])
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
  })

  it('that cannot be sent is refused without a call', async () => {
    const { manager, item, calls } = fakeUploads(undefined, { inspectVideo: async () => BROKEN })
    manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(item()).toMatchObject({ status: 'error', message: 'Incomplete', retry: 'none' }))
    expect(calls).toEqual([])
  })
})
