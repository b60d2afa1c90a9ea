// Behaviour: asking by voice and hearing the answer: microphone, recogniser, panel.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FakeMicrophone, removeMicrophone, seedMicrophone } from '../testing/fake-microphone.ts'
import { FakeRecogniser } from '../testing/fake-recogniser.ts'
import { FakeTutor, makeMeta } from '../testing/fake-tutor.ts'
import { openTutor } from '../testing/open-tutor.tsx'

const ASK = 'POST /api/qa/ask'

const field = () => screen.getByRole('textbox', { name: 'Your question' })
const microphone = () => screen.getByRole('button', { name: 'Ask by voice' })
const isListening = () => microphone().getAttribute('aria-pressed') === 'true'
const hint = () => document.getElementById(field().getAttribute('aria-describedby') ?? '')?.textContent
const recognise = (...said: Parameters<FakeRecogniser['recognise']>) =>
  act(() => FakeRecogniser.last.recognise(...said))

/** The texts that this page reads aloud. */
const spoken: SpeechSynthesisUtterance[] = []
const cutOff = vi.fn()

beforeEach(() => {
  FakeRecogniser.all.length = 0
  spoken.length = 0
  cutOff.mockClear()
  localStorage.clear()
  vi.stubGlobal('webkitSpeechRecognition', FakeRecogniser)
  vi.stubGlobal(
    'SpeechSynthesisUtterance',
    class {
      readonly text: string
      constructor(text: string) {
        this.text = text
      }
    },
  )
  vi.stubGlobal('speechSynthesis', { speak: (one: SpeechSynthesisUtterance) => spoken.push(one), cancel: cutOff })
})
afterEach(() => {
  document.documentElement.lang = ''
  vi.useRealTimers()
  vi.unstubAllGlobals()
  removeMicrophone()
})

describe('a spoken question', () => {
  test('shows while it is said, can be changed, and goes the way of the voice', { tags: 'spec-4.13' }, async () => {
    const server = new FakeTutor()
    server.spoken = { success: true, ...makeMeta({ answer: 'The red one.' }) }
    const { user, video } = openTutor(server)
    await user.click(microphone())
    expect(isListening()).toBe(true)
    expect(video.done).toEqual(['hold'])
    expect(hint()).toMatch(/^Listening/)
    recognise(['which valf', false])
    expect(field()).toHaveValue('which valf')
    recognise(['which valf', true])
    await user.click(microphone())
    expect(isListening()).toBe(false)
    expect(field()).toHaveValue('which valf')
    expect(video.done).toEqual(['hold'])
    await user.type(field(), '{Backspace}ve?{Enter}')
    const conversation = within(screen.getByRole('region', { name: 'Conversation' }))
    expect(await conversation.findByText('which valve?')).toBeVisible()
    expect(await conversation.findByText('The red one.')).toBeVisible()
    expect(server.bodiesOf(ASK)).toEqual([
      { moduleId: 'm1', question: 'which valve?', videoTime: 12.5, turnId: expect.any(String) },
    ])
    expect(server.lines).toEqual([])
    expect(video.done).toEqual(['hold', 'release'])
  })

  test.each([
    ['an empty answer', { success: true, ...makeMeta({ answer: ' ' }) }, 'No answer returned.'],
    ['none at all', { success: true }, 'No answer returned.'],
    ['one in other words', { data: { answer: 'The red one.' } }, 'The red one.'],
  ])('a spoken question that gets %s', { tags: 'spec-8.11' }, async (_, answer, shown) => {
    const server = new FakeTutor()
    server.spoken = answer
    const { user } = openTutor(server)
    await user.click(microphone())
    recognise(['which valve', true])
    await user.click(screen.getByRole('button', { name: 'Send' }))
    expect(await screen.findByText(shown)).toBeVisible()
    expect(isListening()).toBe(false)
  })

  test.each([
    ['', 'en-US'],
    ['en', 'en-US'],
    ['es', 'es-ES'],
    ['zh', 'zh-CN'],
  ])('is recognised in the language of a page in "%s", %s', { tags: 'spec-9.9' }, async (page, lang) => {
    document.documentElement.lang = page
    const { user } = openTutor(new FakeTutor())
    await user.click(microphone())
    expect(FakeRecogniser.last.lang).toBe(lang)
  })

  test('is what was said while the video waits, and not the video', async () => {
    const { user, video } = openTutor(new FakeTutor())
    await user.click(microphone())
    recognise(['which valve', true])
    video.isPlaying = true
    recognise(['which valve', true], ['now turn the handle', true])
    expect(field()).toHaveValue('which valve')
  })

  test('a spoken question that says the word of a command is a question like any other', async () => {
    const { user, video } = openTutor(new FakeTutor())
    await user.click(microphone())
    recognise(['next step', true])
    expect(field()).toHaveValue('next step')
    expect(video.done).toEqual(['hold'])
  })

  test('is not overwritten when it is edited during dictation', async () => {
    const { user } = openTutor(new FakeTutor())
    await user.click(microphone())
    recognise(['which valf', false])
    fireEvent.change(field(), { target: { value: 'which valve' } })
    recognise(['which valf', true], ['is it', true])
    expect(field()).toHaveValue('which valve is it')
  })
})

describe('the microphone', () => {
  test('listens as long as it is held, by pointer and by key, or until it is pressed again', () => {
    vi.useFakeTimers()
    openTutor(new FakeTutor())
    const hold = (down: () => void, up: () => void, lastsMs: number) => {
      down()
      expect(isListening()).toBe(true)
      act(() => void vi.advanceTimersByTime(lastsMs))
      up()
    }
    const pointer = [() => fireEvent.pointerDown(microphone()), () => fireEvent.pointerUp(microphone())] as const
    const key = [
      () => fireEvent.keyDown(microphone(), { key: ' ' }),
      () => fireEvent.keyUp(microphone(), { key: ' ' }),
    ] as const
    for (const [down, up] of [pointer, key]) {
      hold(down, up, 400)
      expect(isListening()).toBe(false)
      hold(down, up, 300)
      expect(isListening()).toBe(true)
      down()
      up()
      expect(isListening()).toBe(false)
    }
  })

  test('can be pressed by a reader of the screen', () => {
    openTutor(new FakeTutor())
    fireEvent.click(microphone())
    expect(isListening()).toBe(true)
    fireEvent.click(microphone())
    expect(isListening()).toBe(false)
  })

  test.each([
    ['not-allowed', 'The microphone is blocked. Allow it for this page in your browser.'],
    ['audio-capture', 'No microphone was found.'],
  ])('says what is wrong: %s', { tags: 'spec-4.13' }, async (error, message) => {
    const { user } = openTutor(new FakeTutor())
    await user.click(microphone())
    act(() => FakeRecogniser.last.fail(error))
    expect(hint()).toBe(message)
    expect(isListening()).toBe(false)
    await user.click(microphone())
    expect(isListening()).toBe(true)
  })

  test('says so where the browser cannot listen at all', { tags: 'spec-4.13' }, async () => {
    vi.stubGlobal('webkitSpeechRecognition', undefined)
    const { user } = openTutor(new FakeTutor())
    expect(microphone()).toHaveAttribute('aria-disabled', 'true')
    await user.click(microphone())
    expect(hint()).toBe('This browser cannot listen. Please type your question.')
  })

  async function record(server: FakeTutor) {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { video } = openTutor(server)
    fireEvent.click(microphone())
    return video
  }
  async function stopAfter(lastsMs: number) {
    await act(() => vi.advanceTimersByTimeAsync(lastsMs))
    fireEvent.click(microphone())
  }

  test.each([
    ['has no recogniser, as Firefox', () => vi.stubGlobal('webkitSpeechRecognition', undefined)],
    ['loses speech, as on Android', () => vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Linux; Android 16')],
  ])('records where the browser %s', async (_, arrange) => {
    arrange()
    seedMicrophone()
    const server = new FakeTutor()
    server.transcript = 'Which valve is it?'
    await record(server)
    await stopAfter(1_000)
    await waitFor(() => expect(field()).toHaveValue('Which valve is it?'))
    expect(isListening()).toBe(false)
    expect(FakeRecogniser.all).toHaveLength(0)
    vi.restoreAllMocks()
  })

  test('records from then on where the recogniser turns out not to work', async () => {
    seedMicrophone()
    const server = new FakeTutor()
    server.transcript = 'Which valve is it?'
    await record(server)
    act(() => FakeRecogniser.last.fail('network'))
    expect(isListening()).toBe(true)
    await waitFor(() => expect(FakeMicrophone.all).toHaveLength(1))
    await stopAfter(1_000)
    await waitFor(() => expect(field()).toHaveValue('Which valve is it?'))
    fireEvent.click(microphone())
    await waitFor(() => expect(FakeMicrophone.all).toHaveLength(2))
    expect(FakeRecogniser.all).toHaveLength(1)
  })
})

describe('answers read aloud', () => {
  async function askAloud() {
    const server = new FakeTutor()
    const opened = openTutor(server)
    await opened.user.click(screen.getByRole('button', { name: 'Read answers aloud' }))
    await opened.user.type(field(), 'Which valve?{Enter}')
    await waitFor(() => expect(server.lines).toHaveLength(1))
    server.line.finish({ answer: 'The red one (0:07). Turn it left.' })
    await screen.findByRole('button', { name: 'Stop reading' })
    return opened
  }

  test('answers read aloud are said on wish, without times, while the video waits', async () => {
    const { video } = await askAloud()
    expect(spoken.map(({ text, lang }) => [text, lang])).toEqual([
      ['The red one.', 'en-US'],
      ['Turn it left.', 'en-US'],
    ])
    expect(video.done).toEqual(['hold'])
    act(() => void spoken.at(-1)?.onend?.(new Event('end') as SpeechSynthesisEvent))
    expect(screen.queryByRole('button', { name: 'Stop reading' })).toBeNull()
    expect(video.done).toEqual(['hold', 'release'])
  })

  test.each([
    ['', undefined, 'en-US'],
    ['en', 'es', 'es-ES'],
    ['es', 'es-MX', 'es-MX'],
    ['de', 'en', 'en-US'],
    ['ar', undefined, 'ar-SA'],
    ['de', 'fi', 'fi'],
  ])(
    'answers read aloud are said on a page in "%s" in their own language, %s: %s',
    { tags: 'spec-9.9' },
    async (page, language, voice) => {
      document.documentElement.lang = page
      const server = new FakeTutor()
      const { user } = openTutor(server)
      await user.click(screen.getByRole('button', { name: 'Read answers aloud' }))
      await user.type(field(), 'Which valve?{Enter}')
      await waitFor(() => expect(server.lines).toHaveLength(1))
      server.line.finish({ answer: 'El rojo.', ...(language && { language }) })
      await screen.findByRole('button', { name: 'Stop reading' })
      expect(spoken.map(({ lang }) => lang)).toEqual([voice])
    },
  )

  test.each(['Stop reading', 'Ask by voice', 'Read answers aloud'])(
    'answers read aloud are cut off by "%s"',
    async (name) => {
      const { user } = await askAloud()
      cutOff.mockClear()
      await user.click(screen.getByRole('button', { name }))
      expect(cutOff).toHaveBeenCalled()
      expect(screen.queryByRole('button', { name: 'Stop reading' })).toBeNull()
      expect(document.body).not.toHaveFocus()
    },
  )

  test('answers are read aloud only when turned on, which is remembered', async () => {
    const server = new FakeTutor()
    const { user } = openTutor(server)
    await user.type(field(), 'Which valve?{Enter}')
    await waitFor(() => expect(server.lines).toHaveLength(1))
    server.line.finish()
    await screen.findByText('An answer.')
    expect(spoken).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Read answers aloud' }))
    expect(localStorage.getItem('adapt_tutor_aloud')).toBe('yes')
  })
})
