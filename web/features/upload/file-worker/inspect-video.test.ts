import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FromWorker, VideoFindings } from './messages.ts'
import { inspectVideo } from './run-file-task.ts'

const FILE = new File(['x'], 'a.mp4')
const FOUND: VideoFindings = { durationMs: 9000, audioCodec: 'aac', fault: null }

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

const NOTHING = { durationMs: null, audioCodec: null, problem: null }

describe('inspectVideo', () => {
  it('returns the findings, and ends its worker', async () => {
    const { terminate } = answering({ answer: FOUND })
    const { fault: _, ...facts } = FOUND
    expect(await inspectVideo(FILE)).toEqual({ ...facts, problem: null })
    expect(terminate).toHaveBeenCalled()
  })

  it.each([
    ['empty', false],
    ['no_media', false],
    ['unreadable', false],
    ['truncated', false],
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

  it.each([
    ['fails', { failed: 'NotReadableError' }],
    ['says nothing for too long', null],
  ])('knows nothing when its worker %s', async (_, answer) => {
    answering(answer)
    expect(await inspectVideo(FILE, 20)).toEqual(NOTHING)
  })

  it('knows nothing where there are no web workers', async () => {
    expect(await inspectVideo(FILE)).toEqual(NOTHING)
  })
})
