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
  PLAN,
  PRESIGN,
  quickStorage,
  UNREMARKABLE,
} from './testing/fake-uploads.ts'
import { percentOf } from './upload-item.ts'
import type { ManagerDeps } from './upload-manager.ts'

const CURRENT = 'GET /api/upload/m1'
const SILENT = {
  ...UNREMARKABLE,
  problem: { title: 'No audio', whatToDo: 'Add captions.', canBeSent: true },
}
const HEVC = {
  ...UNREMARKABLE,
  conversion: { keepsAudio: true, hasRoom: true },
  picture: { title: 'Not everybody can watch', whatToDo: 'Convert it.', canBeSent: true },
}
const BROKEN = { ...UNREMARKABLE, problem: { title: 'Incomplete', whatToDo: 'Copy it again.', canBeSent: false } }

function fail(status: number): () => never {
  return () => {
    throw new ApiError({ status, code: 'x', message: 'Because.' })
  }
}

const largeVideo = () => makeVideo('talk.mp4', 20 * MIB)

describe('an upload', () => {
  it('goes through the states of the specification', { tags: 'spec-4.9' }, async () => {
    const { manager, state, storage } = fakeUploads()
    const states: string[] = []
    manager.subscribe(() => {
      const now = state() ?? { kind: 'idle', detail: null }
      const text = [now.kind, percentOf(now)].join(' ').trim()
      if (states.at(-1) !== text) states.push(text)
    })
    manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
    storage.end(200)
    await vi.waitFor(() => expect(state()?.kind).toBe('done'))
    expect(states).toEqual(['idle', 'checking 5', 'sending 5', 'confirming 99', 'done'])
  })

  it('stays the new recording that it was picked as, whatever page is open when it starts again', async () => {
    const bodies: unknown[] = []
    const presign = (...[body]: unknown[]) => {
      bodies.push(body)
      return fail(500)()
    }
    const { manager, item, state } = fakeUploads({ ...ANSWERS, [PRESIGN]: presign })
    manager.setReplaces('m0')
    manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(state()?.kind).toBe('failed'))
    manager.setReplaces(null)
    const failed = item()
    if (failed) manager.retry(failed)
    await vi.waitFor(() => expect(bodies).toHaveLength(2))
    expect(bodies).toMatchObject([{ replaces: 'm0' }, { replaces: 'm0' }])
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
    expect(ended.mock.calls[0]?.[0]).toMatchObject({ attempt: { moduleId: 'm1' }, state: { kind: 'done' } })
  })

  it('lets the audio go first, and the bytes once the line is free', async () => {
    const sent = Promise.withResolvers<number>()
    const sendAudioFirst = vi.fn<ManagerDeps['sendAudioFirst']>(() => sent.promise)
    const { manager, state, storage } = fakeUploads(undefined, { sendAudioFirst })
    manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(sendAudioFirst).toHaveBeenCalledOnce())
    const audio = sendAudioFirst.mock.calls[0]?.[0]
    expect(audio?.moduleId).toBe('m1')
    expect(storage.puts).toEqual([])
    audio?.onVideoMayStart()
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
    expect(state()).toHaveProperty('hasAudio', false)
    sent.resolve(1)
    await vi.waitFor(() => expect(state()).toHaveProperty('hasAudio', true))
  })

  it('sends no audio after the video, which would come too late', async () => {
    let wasStopped = false
    const sendAudioFirst: ManagerDeps['sendAudioFirst'] = async ({ onVideoMayStart, signal }) => {
      onVideoMayStart()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return 0
    }
    const audio = vi.fn(sendAudioFirst)
    const answers = {
      ...ANSWERS,
      [COMPLETE]: () => {
        wasStopped = audio.mock.calls[0]?.[0].signal.aborted ?? false
        return ANSWERS[COMPLETE]?.()
      },
    }
    const { manager, state, storage } = fakeUploads(answers, { sendAudioFirst: audio })
    manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
    expect(audio.mock.calls[0]?.[0].signal.aborted).toBe(false)
    storage.end(200)
    await vi.waitFor(() => expect(state()?.kind).toBe('done'))
    expect(wasStopped).toBe(true)
  })

  it('needs no audio where captions go along', async () => {
    const sendAudioFirst = vi.fn<ManagerDeps['sendAudioFirst']>(async () => 0)
    const { manager, storage } = fakeUploads(undefined, { sendAudioFirst })
    manager.addFiles([makeVideo(), new File(['WEBVTT'], 'talk.vtt')])
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
    expect(sendAudioFirst).not.toHaveBeenCalled()
  })

  it('does not hand its captions to the next video', async () => {
    const { manager, state, storage } = fakeUploads()
    manager.addFiles([makeVideo(), new File(['WEBVTT'], 'talk.vtt')])
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
    storage.end(200)
    await vi.waitFor(() => expect(state()?.kind).toBe('done'))
    expect(manager.getState().captions).toBeNull()
  })
})

describe('a file on the disk', () => {
  it.each([
    ['growing', 'This file is still being written', 'none'],
    ['in_cloud', 'This file is in your cloud drive only', 'again'],
    ['changed', 'This file was changed, moved or removed', 'none'],
  ] as const)('that cannot be sent (%s) is refused before the first byte', async (fault, message, next) => {
    for (const faultyLook of [0, 1]) {
      const looks: boolean[] = []
      const { manager, state, calls } = fakeUploads(undefined, {
        findFileFault: async (_, { isJustPicked }) => (looks.push(isJustPicked) > faultyLook ? fault : null),
      })
      manager.addFiles([makeVideo()])
      await vi.waitFor(() => expect(state()).toMatchObject({ kind: 'failed', message, next }))
      expect(looks).toEqual([true, false].slice(0, faultyLook + 1))
      expect(calls).toEqual([])
    }
  })

  it('that is gone while it is sent is named, and its parts stay', async () => {
    const gone = () => Promise.reject(new DOMException('', 'NotReadableError'))
    const { manager, item, calls } = fakeUploads(PART_ANSWERS, { sendParts: gone })
    manager.addFiles([largeVideo()])
    await vi.waitFor(() =>
      expect(item()?.state).toMatchObject({ message: 'This file was changed, moved or removed', next: 'none' }),
    )
    expect(item()?.attempt?.moduleId).toBe('m1')
    expect(calls).not.toContain(DISCARD)
  })
})

it('the speed of the last upload is known until the connection may be another', async () => {
  vi.useFakeTimers()
  try {
    const { manager, state, storage } = fakeUploads()
    manager.addFiles([makeVideo('talk.mp4', 4 * MIB)])
    await vi.advanceTimersByTimeAsync(500)
    storage.puts[0]?.onProgress(MIB)
    expect(manager.getState().bytesPerSecond).toBeNull()
    await vi.advanceTimersByTimeAsync(2_000)
    storage.end(200)
    await vi.advanceTimersByTimeAsync(0)
    expect(state()?.kind).toBe('done')
    expect(manager.getState().bytesPerSecond).toBeGreaterThan(MIB / 4)
    window.dispatchEvent(new Event('offline'))
    expect(manager.getState().bytesPerSecond).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})

describe('a canceled upload', () => {
  it('is taken back on the server, and is never completed', async () => {
    const { manager, state, storage, calls } = fakeUploads()
    manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
    manager.cancel()
    expect(state()).toEqual({ kind: 'canceled' })
    storage.end(200)
    await vi.waitFor(() => expect(calls).toEqual([PRESIGN, DISCARD]))
  })

  it('is taken back when the module arrives after the cancel', { tags: 'fault-3' }, async () => {
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
    const { manager, item, state, storage, kept } = fakeUploads(PART_ANSWERS)
    const file = largeVideo()
    manager.addFiles([file])
    await vi.waitFor(() => expect(storage.puts).toHaveLength(3))
    expect(item()).toMatchObject({ attempt: { moduleId: 'm1' }, state: { canPause: true } })
    expect(kept.get('m1')).toBe(file)
    manager.setPaused(true)
    expect(state()).toMatchObject({ kind: 'sending', isPaused: true })
    manager.setPaused(false)
    await vi.waitFor(() => expect(storage.puts).toHaveLength(6))
    for (const index of [3, 4, 5]) storage.end(200, index)
    await vi.waitFor(() => expect(state()?.kind).toBe('done'))
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
    await vi.waitFor(() => expect(small.state()?.kind).toBe('done'))
  })

  it('resumes from what has arrived after a failure', async () => {
    let status = 400
    const storage = quickStorage((url) => (url === 'p3' ? { status } : {}))
    const upload = () => makeUpload({ parts: [1, 2].map((part) => ({ part, etag: 'e', sizeBytes: 8 * MIB })) })
    const answers = { ...PART_ANSWERS, [CURRENT]: () => ({ success: true, upload: upload() }) }
    const looks: boolean[] = []
    const { manager, item, state } = fakeUploads(answers, {
      putFile: storage.putFile,
      findFileFault: async (_, { isJustPicked }) => {
        looks.push(isJustPicked)
        return null
      },
    })
    manager.addFiles([largeVideo()])
    await vi.waitFor(() => expect(state()).toMatchObject({ message: 'storage PUT failed: 400', next: 'continue' }))
    storage.urls.length = 0
    status = 200
    const failed = item()
    if (failed) manager.retry(failed)
    await vi.waitFor(() => expect(state()?.kind).toBe('done'))
    expect(storage.urls).toEqual(['p3'])
    // What was read before is on this device.
    expect(looks).toEqual([true, false, false, false])
  })

  it('only confirms again when that is all that failed', async () => {
    const answers: Record<string, () => unknown> = { ...PART_ANSWERS, [COMPLETE]: fail(503) }
    const { manager, item, state, calls } = fakeUploads(answers, { putFile: quickStorage().putFile })
    manager.addFiles([largeVideo()])
    await vi.waitFor(() => expect(state()).toMatchObject({ message: 'complete failed: 503', next: 'confirm' }))
    answers[COMPLETE] = PART_ANSWERS[COMPLETE] ?? fail(500)
    calls.length = 0
    const failed = item()
    if (failed) manager.retry(failed)
    await vi.waitFor(() => expect(state()?.kind).toBe('done'))
    expect(calls).toEqual([COMPLETE])
  })

  it('starts from the beginning when the server has refused the file', async () => {
    const answers = { ...PART_ANSWERS, [COMPLETE]: fail(422) }
    const { manager, state } = fakeUploads(answers, { putFile: quickStorage().putFile })
    manager.addFiles([largeVideo()])
    await vi.waitFor(() => expect(state()).toMatchObject({ message: 'complete failed: 422', next: 'again' }))
  })
})

describe('an upload of an earlier session', () => {
  const answers = { ...PART_ANSWERS, [CURRENT]: () => ({ success: true, upload: makeUpload() }) }

  it('resumes with the same file, and sends only the missing parts', async () => {
    const storage = quickStorage()
    const { manager, state, calls } = fakeUploads(answers, { putFile: storage.putFile })
    expect(await manager.continueUpload(makeUpload(), largeVideo())).toBe(true)
    await vi.waitFor(() => expect(state()?.kind).toBe('done'))
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
    const { manager, state, calls } = fakeUploads(answers)
    manager.finish(makeUpload())
    await vi.waitFor(() => expect(state()?.kind).toBe('done'))
    expect(calls).toEqual([COMPLETE])
  })
})

describe('a doubtful file', () => {
  it('is not sent before the person has decided', async () => {
    const { manager, item, state, storage, calls } = fakeUploads(undefined, { inspectVideo: async () => SILENT })
    manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(state()).toMatchObject({ kind: 'doubtful', message: 'No audio' }))
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

  it('a doubtful file that captions help with is still asked about when not everybody can watch it', async () => {
    const both = { ...SILENT, picture: HEVC.picture }
    const { manager, state } = fakeUploads(undefined, { inspectVideo: async () => both })
    manager.addFiles([makeVideo(), new File(['WEBVTT'], 'talk.vtt')])
    await vi.waitFor(() => expect(state()).toMatchObject({ message: 'Not everybody can watch', detail: 'Convert it.' }))
    manager.setCaptions(null)
    manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(state()).toHaveProperty('message', 'No audio'))
    expect(state()).toHaveProperty('detail', 'Add captions. Not everybody can watch. Convert it.')
  })

  it('is not sent again when the server says that it is no video', async () => {
    const refuse = () => {
      throw new ApiError({ status: 422, code: 'not_a_video', message: 'It is an AVI.' })
    }
    const answers = { ...PART_ANSWERS, [COMPLETE]: refuse }
    const { manager, state } = fakeUploads(answers, { putFile: quickStorage().putFile })
    manager.addFiles([largeVideo()])
    await vi.waitFor(() => expect(state()).toMatchObject({ kind: 'failed', detail: 'It is an AVI.', next: 'none' }))
  })

  it('whose name says nothing is looked into once a person says that it is a video, and sent as what it is', async () => {
    const found = { ...UNREMARKABLE, container: 'video/quicktime' }
    const { manager, item, state, storage } = fakeUploads(undefined, { inspectVideo: async () => found })
    manager.addFiles([new File(['x'], 'recording')])
    expect(state()).toMatchObject({ kind: 'doubtful', message: 'Only video files are allowed', canConvert: false })
    const unnamed = item()
    if (unnamed) manager.retry(unnamed)
    await vi.waitFor(() => expect(storage.puts).toMatchObject([{ contentType: 'video/quicktime' }]))
  })

  it('whose name says nothing is asked about again, or refused, for what is in it', async () => {
    for (const [found, expected] of [
      [SILENT, { kind: 'doubtful', message: 'No audio' }],
      [BROKEN, { kind: 'failed', message: 'Incomplete', next: 'none' }],
    ] as const) {
      const { manager, item, state, calls } = fakeUploads(undefined, { inspectVideo: async () => found })
      manager.addFiles([new File(['x'], 'recording', { type: 'application/octet-stream' })])
      const unnamed = item()
      if (unnamed) manager.retry(unnamed)
      await vi.waitFor(() => expect(state()).toMatchObject(expected))
      expect(calls).toEqual([])
    }
  })

  it('a doubtful file that cannot be sent is refused without a call', async () => {
    const { manager, state, calls } = fakeUploads(undefined, { inspectVideo: async () => BROKEN })
    manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(state()).toMatchObject({ kind: 'failed', message: 'Incomplete', next: 'none' }))
    expect(calls).toEqual([])
  })
})

describe('a converted upload', () => {
  const CHANGE = 'PATCH /api/upload/m1'
  const upload = (sizeBytes: number) => makeUpload({ sizeBytes, plan: { ...PLAN, partCount: 1 }, parts: [] })
  const answers = {
    ...PART_ANSWERS,
    [CHANGE]: () => ({ success: true, upload: upload(1024) }),
    [CURRENT]: () => ({ success: true, upload: upload(2048) }),
  }

  async function pick(change: Partial<ManagerDeps> = {}, inspected = HEVC) {
    const inspectVideo = async (file: File) => (file.size === 2048 ? inspected : UNREMARKABLE)
    const scene = fakeUploads(answers, { inspectVideo, ...change })
    scene.manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(scene.state()).toMatchObject({ kind: 'doubtful', canConvert: true }))
    const convert = () => {
      const doubtful = scene.item()
      if (doubtful) scene.manager.convert(doubtful)
    }
    return { ...scene, convert }
  }

  it('sends its audio while it is converted, and then the converted file', async () => {
    const converted = Promise.withResolvers<File>()
    const convertFile = vi.fn<ManagerDeps['convertFile']>(() => converted.promise)
    const sendAudioFirst = vi.fn<ManagerDeps['sendAudioFirst']>(async ({ onVideoMayStart }) => {
      onVideoMayStart()
      return 3
    })
    const removeConverted = vi.fn(async () => {})
    const { item, state, storage, calls, kept, convert } = await pick({ convertFile, sendAudioFirst, removeConverted })
    convert()
    await vi.waitFor(() => expect(state()).toMatchObject({ kind: 'converting', percent: 0, hasAudio: true }))
    // With its length the same track of audio is kept that is cut.
    expect(convertFile.mock.calls[0]?.[0]).toMatchObject({ knownDurationMs: HEVC.durationMs })
    convertFile.mock.calls[0]?.[0].onProgress(42)
    expect(state()).toMatchObject({ kind: 'converting', percent: 42 })
    expect(state()).toHaveProperty('leftMs', expect.any(Number))
    expect(storage.puts).toEqual([])
    const file = makeVideo('made.mp4', 1024)
    converted.resolve(file)
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
    expect(storage.puts[0]?.file.size).toBe(1024)
    expect(item()).toMatchObject({ sizeBytes: 1024, state: { kind: 'sending', canPause: true } })
    expect(kept.get('m1')).toBe(file)
    storage.end(200)
    await vi.waitFor(() => expect(item()).toMatchObject({ attempt: { moduleId: 'm1' }, state: { kind: 'done' } }))
    expect(calls.indexOf(CHANGE)).toBeGreaterThan(calls.indexOf(PRESIGN))
    expect(calls.indexOf(CHANGE)).toBeLessThan(calls.indexOf(COMPLETE))
    expect(removeConverted).toHaveBeenCalledWith(file)
  })

  it('leaves the audio to the server where it is converted too', async () => {
    const sendAudioFirst = vi.fn<ManagerDeps['sendAudioFirst']>(async () => 0)
    const changed = { ...HEVC, conversion: { keepsAudio: false, hasRoom: true } }
    const { storage, convert } = await pick({ sendAudioFirst }, changed)
    convert()
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
    expect(sendAudioFirst).not.toHaveBeenCalled()
  })

  it('can be sent as it is, into the same module, when converting fails', async () => {
    const convertFile = () => Promise.reject(new Error('The storage is full'))
    vi.spyOn(console, 'warn').mockImplementationOnce(() => {})
    const { manager, item, state, storage, calls, convert } = await pick({ convertFile })
    convert()
    await vi.waitFor(() => expect(state()).toMatchObject({ kind: 'failed', next: 'force' }))
    expect(state()).toHaveProperty('detail', 'Export it as MP4 with H.264, or upload it as it is.')
    const failed = item()
    if (failed) manager.retry(failed)
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
    expect(storage.puts[0]?.file.size).toBe(2048)
    expect(calls.filter((call) => call === PRESIGN)).toHaveLength(1)
    expect(calls).not.toContain(CHANGE)
  })

  it.each([
    ['TimeoutError', /got no further with it for a minute\. Export it as MP4 with H\.264, or upload it as it is\./],
    ['QuotaExceededError', /no room for the converted video\. Free some space .* upload it as it is\./],
  ])('says why converting has failed, and can try once more: %s', async (name, reason) => {
    vi.spyOn(console, 'warn').mockImplementationOnce(() => {})
    const convertFile = vi
      .fn<ManagerDeps['convertFile']>(async () => makeVideo('made.mp4', 1024))
      .mockRejectedValueOnce(new DOMException('', name))
    const { storage, state, calls, convert } = await pick({ convertFile })
    convert()
    await vi.waitFor(() => expect(state()).toMatchObject({ kind: 'failed', next: 'force', canConvert: true }))
    expect(state()).toHaveProperty('detail', expect.stringMatching(reason))
    convert()
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
    expect(storage.puts[0]?.file.size).toBe(1024)
    expect(calls.filter((call) => call === PRESIGN)).toHaveLength(1)
  })

  it('does not begin, and asks again, where the storage has been filled meanwhile', async () => {
    const convertFile = vi.fn<ManagerDeps['convertFile']>()
    const full = { ...HEVC, conversion: { keepsAudio: true, hasRoom: false } }
    const inspectVideo = vi.fn<ManagerDeps['inspectVideo']>(async () => full).mockResolvedValueOnce(HEVC)
    const { calls, state, convert } = await pick({ convertFile, inspectVideo })
    convert()
    await vi.waitFor(() => expect(state()).toMatchObject({ kind: 'doubtful', canConvert: false }))
    expect(convertFile).not.toHaveBeenCalled()
    expect(calls).toEqual([])
  })

  it('ends with a cancel, which leaves the picked file to be tried again', async () => {
    let signal: AbortSignal | undefined
    const convertFile: ManagerDeps['convertFile'] = (request) => {
      signal = request.signal
      return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
    }
    const { manager, item, state, storage, calls, convert } = await pick({ convertFile })
    convert()
    await vi.waitFor(() => expect(state()?.kind).toBe('converting'))
    manager.cancel()
    expect(signal?.aborted).toBe(true)
    expect(item()).toMatchObject({ sizeBytes: 2048, attempt: null, state: { kind: 'canceled' } })
    await vi.waitFor(() => expect(calls).toContain(DISCARD))
    expect(storage.puts).toEqual([])
  })

  it('is the only way for a file that cannot be read as it is', async () => {
    const problem = { title: 'A stream', whatToDo: 'Convert it.', canBeSent: false, canBeConverted: true }
    const stream = { ...UNREMARKABLE, conversion: { keepsAudio: false, hasRoom: true }, problem }
    const inspectVideo = async () => stream
    const drawn = Promise.withResolvers<void>()
    const sendImages = vi.fn<ManagerDeps['sendImages']>(() => drawn.promise)
    const removeConverted = vi.fn(async () => {})
    const change = { inspectVideo, sendImages, removeConverted }
    const { manager, item, state, storage, calls } = fakeUploads(answers, change)
    manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(state()).toMatchObject({ kind: 'failed', next: 'none', canConvert: true }))
    expect(calls).toEqual([])
    const refused = item()
    if (refused) manager.convert(refused)
    await vi.waitFor(() => expect(storage.puts[0]?.file.size).toBe(1024))
    // Images can be drawn of what was made of it only, which stays for that.
    expect(sendImages.mock.calls.map(([{ file }]) => file.size)).toEqual([1024])
    storage.end(200)
    await vi.waitFor(() => expect(state()?.kind).toBe('done'))
    expect(removeConverted).not.toHaveBeenCalled()
    drawn.resolve()
    await vi.waitFor(() => expect(removeConverted).toHaveBeenCalledOnce())

    const convertFile = () => Promise.reject(new Error('no decoder'))
    const failing = fakeUploads(answers, { inspectVideo, convertFile })
    failing.manager.addFiles([makeVideo()])
    await vi.waitFor(() => expect(failing.state()).toHaveProperty('canConvert', true))
    const other = failing.item()
    if (other) failing.manager.convert(other)
    await vi.waitFor(() =>
      expect(failing.state()).toMatchObject({ message: 'This video could not be converted here', next: 'none' }),
    )
    expect(failing.state()).toMatchObject({ detail: expect.stringMatching(/^Export it as MP4/), canConvert: false })
    expect(failing.storage.puts).toEqual([])
  })

  it('asks again about a file that is resumed before its first part was sent', async () => {
    const { manager, state } = fakeUploads(answers, { inspectVideo: async () => HEVC })
    await manager.continueUpload(makeUpload({ sizeBytes: 2048, parts: [] }), makeVideo())
    await vi.waitFor(() => expect(state()).toMatchObject({ kind: 'doubtful', canConvert: true }))
  })
})
