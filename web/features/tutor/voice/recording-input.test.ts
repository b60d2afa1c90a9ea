import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FakeMicrophone, removeMicrophone, seedMicrophone } from '../testing/fake-microphone.ts'
import { RecordingInput } from './recording-input.ts'

const calls: string[] = []
const sent: Blob[] = []
let written: string | Error = 'Which valve?'

function open(): RecordingInput {
  const transcribe = async (recording: Blob) => {
    sent.push(recording)
    if (written instanceof Error) throw written
    return written
  }
  return new RecordingInput(transcribe, {
    onInterim: (text) => calls.push(`… ${text}`),
    onPhrase: (text) => calls.push(text),
    onWriting: () => calls.push('writing'),
    onEnd: () => calls.push('end'),
    onProblem: (problem) => calls.push(problem.kind === 'denied' ? 'denied' : `${problem.kind}: ${problem.message}`),
  })
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers()
  calls.length = 0
  sent.length = 0
  written = 'Which valve?'
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  removeMicrophone()
})

describe('RecordingInput', () => {
  test('has the recording transcribed, and releases the microphone', async () => {
    const { stopTrack } = seedMicrophone()
    const input = open()
    input.start()
    await pass(2_000)
    expect(FakeMicrophone.all[0]?.state).toBe('recording')
    input.stop()
    await pass(10)
    expect(calls).toEqual(['writing', 'Which valve?', 'end'])
    expect(sent.map(({ type, size }) => [type, size])).toEqual([['audio/webm;codecs=opus', 4]])
    expect(stopTrack).toHaveBeenCalled()
  })

  test('ends by itself after a minute', async () => {
    seedMicrophone()
    open().start()
    await pass(61_000)
    expect(calls).toEqual(['writing', 'Which valve?', 'end'])
  })

  test.each([
    ['a press by mistake', 100, 4, ['end']],
    ['silence', 2_000, 0, ['end']],
    ['more than the server takes', 2_000, 3_000_000, ['error: That was too long. Please say it in fewer words.']],
  ])('sends nothing of %s', async (_, lastsMs, sizeBytes, then) => {
    seedMicrophone()
    FakeMicrophone.sizeBytes = sizeBytes
    const input = open()
    input.start()
    await pass(lastsMs)
    input.stop()
    await pass(10)
    expect(calls).toEqual(then)
    expect(sent).toEqual([])
  })

  test.each([
    ['NotAllowedError', 'denied'],
    ['NotFoundError', 'error: No microphone was found.'],
    ['NotReadableError', 'error: The microphone is in use elsewhere.'],
  ])('reports a %s', async (name, problem) => {
    seedMicrophone(name)
    open().start()
    await pass(10)
    expect(calls).toEqual([problem])
  })

  test('reports why the transcription failed, and no phrase for silence', async () => {
    seedMicrophone()
    for (const [outcome, then] of [
      [new Error('Type your question instead.'), ['writing', 'error: Type your question instead.']],
      ['  ', ['writing', 'end']],
    ] as const) {
      calls.length = 0
      written = outcome
      const input = open()
      input.start()
      await pass(1_000)
      input.stop()
      await pass(10)
      expect(calls).toEqual(then)
    }
  })

  test('records nothing where the button was let go before the permission was given', async () => {
    seedMicrophone()
    const input = open()
    input.start()
    input.stop()
    await pass(10)
    expect(FakeMicrophone.all[0]?.state).toBe('inactive')
    expect(calls).toEqual(['end'])
  })

  test('reports nothing after it is canceled', async () => {
    const { stopTrack } = seedMicrophone()
    const input = open()
    input.start()
    await pass(1_000)
    input.cancel()
    await pass(10)
    expect(calls).toEqual([])
    expect(sent).toEqual([])
    expect(stopTrack).toHaveBeenCalled()
  })
})
