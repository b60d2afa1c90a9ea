import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FakeRecogniser } from '../testing/fake-recogniser.ts'
import { RecogniserInput } from './recogniser-input.ts'

const calls: string[] = []
let input: RecogniserInput

beforeEach(() => {
  vi.useFakeTimers()
  FakeRecogniser.all.length = 0
  calls.length = 0
  input = new RecogniserInput(FakeRecogniser, {
    onInterim: (text) => calls.push(`… ${text}`),
    onPhrase: (text) => calls.push(text),
    onWriting: () => calls.push('writing'),
    onEnd: () => calls.push('end'),
    onProblem: (problem) => calls.push(problem.kind === 'denied' ? 'denied' : `${problem.kind}: ${problem.message}`),
  })
  input.start()
})
afterEach(() => vi.useRealTimers())

const phrases = () => calls.filter((line) => !line.startsWith('…'))

describe('RecogniserInput', () => {
  test('listens in American English and without end', { tags: 'spec-9.9' }, () => {
    expect(FakeRecogniser.last).toMatchObject({
      lang: 'en-US',
      continuous: true,
      interimResults: true,
      isRunning: true,
    })
  })

  test('reports interim text, and each phrase once it is final', () => {
    FakeRecogniser.last.recognise(['which', false])
    FakeRecogniser.last.recognise(['Which valve', true], [' and', false])
    FakeRecogniser.last.recognise(['Which valve', true], [' and then', true])
    expect(calls).toEqual(['… which', 'Which valve', '… and', 'and then', '… '])
  })

  test('ends after the last words, which some browsers never call final', () => {
    FakeRecogniser.last.recognise(['which valve', false])
    input.stop()
    expect(phrases()).toEqual(['which valve', 'end'])
  })

  test('ends by itself where the browser does not say that it has stopped, as Safari', () => {
    FakeRecogniser.last.endsWhenStopped = false
    FakeRecogniser.last.recognise(['which valve', false])
    input.stop()
    expect(phrases()).toEqual([])
    vi.advanceTimersByTime(2_000)
    expect(phrases()).toEqual(['which valve', 'end'])
    expect(FakeRecogniser.last.isRunning).toBe(false)
  })

  test('begins again when the browser ends after a while, as in a pause', () => {
    FakeRecogniser.last.recognise(['Which valve', true])
    vi.advanceTimersByTime(60_000)
    FakeRecogniser.last.end()
    vi.advanceTimersByTime(1_000)
    expect(FakeRecogniser.all).toHaveLength(2)
    FakeRecogniser.last.recognise(['is it', true])
    input.stop()
    expect(phrases()).toEqual(['Which valve', 'is it', 'end'])
  })

  test('ignores silence', { tags: 'spec-8.11' }, () => {
    vi.advanceTimersByTime(8_000)
    FakeRecogniser.last.fail('no-speech')
    vi.advanceTimersByTime(1_000)
    expect(calls).toEqual([])
    expect(FakeRecogniser.last.isRunning).toBe(true)
  })

  test.each([
    ['not-allowed', 'denied'],
    ['audio-capture', 'error: No microphone was found.'],
    ['network', 'unusable: Speech recognition cannot be reached from this browser.'],
    ['bad-grammar', 'error: Listening failed (bad-grammar).'],
  ])('reports %s and stops listening', { tags: 'spec-8.11' }, (error, problem) => {
    FakeRecogniser.last.fail(error)
    vi.advanceTimersByTime(5_000)
    expect(calls).toEqual([problem])
    expect(FakeRecogniser.all).toHaveLength(1)
  })

  test('gives up where listening ends as soon as it has begun', () => {
    for (let time = 0; time < 3; time += 1) {
      FakeRecogniser.last.end()
      vi.advanceTimersByTime(300)
    }
    expect(calls).toEqual(['unusable: Speech recognition ends by itself in this browser.'])
  })

  test('drops a skipped phrase, and keeps the next one', () => {
    FakeRecogniser.last.recognise(['which valf', false])
    input.skip()
    FakeRecogniser.last.recognise(['which valve', true], ['is it', true])
    expect(phrases()).toEqual(['is it'])
  })

  test('reports nothing after it is canceled', () => {
    const recogniser = FakeRecogniser.last
    recogniser.recognise(['which', false])
    input.cancel()
    recogniser.recognise(['which valve', true])
    recogniser.end()
    vi.advanceTimersByTime(5_000)
    expect(phrases()).toEqual([])
    expect(recogniser.isRunning).toBe(false)
  })
})
