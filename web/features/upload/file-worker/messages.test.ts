import { afterEach, describe, expect, it, vi } from 'vitest'
import { type FromWorker, NOTHING_FOUND, type VideoFindings } from './messages.ts'
import { inspectVideo } from './run-file-task.ts'

const FILE = new File(['x'], 'a.mp4')
const FOUND: VideoFindings = {
  durationMs: 9000,
  audioCodec: 'aac',
  container: 'video/mp4',
  videoCodec: 'avc1.64001f',
  hasPicture: true,
  conversion: null,
  fault: null,
}

const CONVERSION = { keepsAudio: true }

/** A browser whose worker answers this, or nothing at all. */
function answering(answer: FromWorker<VideoFindings> | null) {
  const terminate = vi.fn()
  class FakeWorker extends EventTarget {
    terminate = terminate

    postMessage(): void {
      if (answer !== null) this.dispatchEvent(new MessageEvent('message', { data: answer }))
    }
  }
  vi.stubGlobal('Worker', FakeWorker)
  return { terminate }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

const { fault: _fault, ...NO_FINDINGS } = NOTHING_FOUND
const NOTHING = { ...NO_FINDINGS, problem: null, picture: null }

describe('inspectVideo', () => {
  it('returns the findings, and ends its worker', async () => {
    const { terminate } = answering({ answer: FOUND })
    const { fault: _, ...facts } = FOUND
    expect(await inspectVideo(FILE)).toEqual({ ...facts, problem: null, picture: null })
    expect(terminate).toHaveBeenCalled()
  })

  it.each([
    ['empty', false],
    ['no_media', false],
    ['foreign_container', false],
    ['unreadable', false],
    ['truncated', false],
    ['encrypted', false],
    ['no_audio', true],
    ['unsupported_audio', true],
  ] as const)(
    'says what is wrong with a file that is %s, what to do, and whether it can be sent',
    async (fault, canBeSent) => {
      answering({ answer: { ...FOUND, audioCodec: 'DTS', fault } })
      const { problem } = await inspectVideo(FILE)
      expect(problem).toEqual({ title: expect.stringMatching(/\w/), whatToDo: expect.stringMatching(/\.$/), canBeSent })
    },
  )

  it('names the container that Adapt cannot read, and what to do', async () => {
    answering({ answer: { ...NOTHING_FOUND, container: 'AVI', fault: 'foreign_container' } })
    expect((await inspectVideo(FILE)).problem).toEqual({
      title: 'Adapt cannot read AVI files',
      whatToDo: 'Export it as MP4 with H.264 video and AAC audio, then choose the new file.',
      canBeSent: false,
    })
  })

  it.each([
    ['HEVC', { videoCodec: 'hvc1.1.6.L93.B0' }, 'it is in HEVC (H.265)', /on many computers.*Export it as MP4/],
    [
      'HEVC',
      { videoCodec: 'hvc1.1.6.L93.B0', conversion: { ...CONVERSION, hasRoom: true } },
      'HEVC',
      /Convert it here/,
    ],
    ['no room', { videoCodec: 'av01.0.04M.08', conversion: { ...CONVERSION, hasRoom: false } }, 'AV1', /no room.*1 B/],
    ['MKV', { videoCodec: 'avc1.64001f', container: 'video/x-matroska' }, 'it is an MKV file', /cannot play MKV files/],
    ['foreign MKV', { videoCodec: 'V_MPEG2', container: 'video/x-matroska' }, 'it is in MPEG-2', /no usual browser/],
    ['no picture', { videoCodec: null, hasPicture: false }, 'This file has no picture', /only audio/],
  ] as const)('says who will not see a video: %s', async (_, found, title, whatToDo) => {
    answering({ answer: { ...FOUND, ...found } })
    const { problem, picture } = await inspectVideo(FILE)
    expect(problem).toBeNull()
    expect(picture).toEqual({
      title: expect.stringContaining(title),
      whatToDo: expect.stringMatching(whatToDo),
      canBeSent: true,
    })
  })

  it.each([
    ['fails', { failed: { name: 'NotReadableError', message: '' } }],
    ['says nothing for too long', null],
  ])('knows nothing when its worker %s', async (_, answer) => {
    answering(answer)
    expect(await inspectVideo(FILE, 20)).toEqual(NOTHING)
  })

  it('knows nothing where there are no web workers', async () => {
    expect(await inspectVideo(FILE)).toEqual(NOTHING)
  })
})
