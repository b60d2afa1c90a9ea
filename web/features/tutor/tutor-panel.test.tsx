import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { QUESTION_MAX_CHARS } from '#contract/limits.ts'
import { ANSWER_STOPPED } from '#contract/tutor.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { BROKEN, FakeTutor, GONE, makeMessages, NETWORK_ERROR } from './testing/fake-tutor.ts'
import { openTutor } from './testing/open-tutor.tsx'

const STREAM = 'POST /api/ai/contextual-response/stream'
const WHOLE = 'POST /api/ai/contextual-response'
const TROUBLE = "I'm having trouble processing your request right now. Please try again in a moment."

const field = () => screen.getByRole('textbox', { name: 'Your question' })
const conversation = () => screen.getByRole('region', { name: 'Conversation' })
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const isBlocked = (name: string) => button(name).getAttribute('aria-disabled') === 'true'
const announced = () => screen.getAllByRole('status').map((status) => status.textContent)
const settle = () => act(() => new Promise<void>((done) => setTimeout(done, 20)))

function setOnline(isOnline: boolean) {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  act(() => void window.dispatchEvent(new Event(isOnline ? 'online' : 'offline')))
}

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('asking', () => {
  test('sends with Enter what was asked, where and when, and shows the answer as it comes', {
    tags: 'spec-5.3',
  }, async () => {
    const server = new FakeTutor()
    const { user, video } = openTutor(server)
    await user.type(field(), 'Which valve?{Enter}')
    expect(await within(conversation()).findByText('Which valve?')).toBeVisible()
    expect(screen.getByText('is typing')).toBeInTheDocument()
    expect(field()).toHaveValue('')
    expect(server.bodiesOf(STREAM)).toEqual([
      {
        moduleId: 'm1',
        userMessage: 'Which valve?',
        currentStep: { id: 's1' },
        allSteps: [{ id: 's1' }],
        videoTime: 12.5,
        turnId: expect.stringMatching(/^[\w-]{8,64}$/),
      },
    ])
    server.line.say('The red ', 'valve.')
    expect(await screen.findByText('The red valve.')).toBeVisible()
    expect(announced()).not.toContain('The tutor: The red valve.')
    const citations = [{ segmentIds: ['s4'], start: 3725.8, sentence: 'The red valve.' }]
    server.line.finish({ answer: 'The red valve. It is on the left (0:07).', citations })
    await user.click(await screen.findByRole('button', { name: 'Play from 01:02:05' }))
    await user.click(button('Play from 00:07'))
    expect(video.done).toEqual(['play from 3725.8', 'play from 7.2'])
    expect(announced()).toContain('The tutor: The red valve. It is on the left (0:07).')
    expect(screen.getByText(/^Rate /)).toBeVisible()
    expect(button('Copy: this answer')).toBeVisible()
  })

  test('is blocked while there is nothing to send or an answer is pending, and Shift+Enter does not send', {
    tags: 'spec-5.3',
  }, async () => {
    const server = new FakeTutor()
    const { user } = openTutor(server)
    expect(isBlocked('Send')).toBe(true)
    await user.type(field(), '   {Enter}')
    await user.click(button('Send'))
    expect(server.lines).toHaveLength(0)
    await user.clear(field())
    await user.type(field(), 'One{Shift>}{Enter}{/Shift}two')
    expect(field()).toHaveValue('One\ntwo')
    expect(server.lines).toHaveLength(0)
    await user.type(field(), '{Enter}')
    await waitFor(() => expect(server.lines).toHaveLength(1))
    await user.type(field(), 'Three{Enter}')
    await user.click(button('Walk me through it'))
    expect(server.lines).toHaveLength(1)
    expect(field()).toHaveValue('Three')
  })

  test('does not send what is still being composed', async () => {
    const server = new FakeTutor()
    openTutor(server)
    fireEvent.change(field(), { target: { value: 'にほん' } })
    fireEvent.keyDown(field(), { key: 'Enter', isComposing: true })
    fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 })
    await settle()
    expect(server.lines).toHaveLength(0)
    fireEvent.keyDown(field(), { key: 'Enter' })
    await waitFor(() => expect(server.lines).toHaveLength(1))
  })

  test.each(['Walk me through it', "What's the next step?"])('offers "%s"', { tags: 'spec-9.9' }, async (prompt) => {
    const server = new FakeTutor()
    const { user } = openTutor(server)
    await user.click(button(prompt))
    await waitFor(() => expect(server.bodiesOf(STREAM)).toMatchObject([{ userMessage: prompt }]))
    server.line.finish({ answer: 'Open it.' })
    expect(await screen.findByText('Open it.')).toBeVisible()
  })

  test('suggests a question about the step that plays', async () => {
    const server = new FakeTutor()
    const { user } = openTutor(server)
    await user.click(await screen.findByRole('button', { name: 'Tell me more about “Open the valve”' }))
    await waitFor(() => expect(server.lines).toHaveLength(1))
    expect(conversation()).toHaveFocus()
  })

  test('counts near the limit, and does not send beyond it', async () => {
    const server = new FakeTutor()
    openTutor(server)
    fireEvent.change(field(), { target: { value: 'x'.repeat(1_900) } })
    expect(field()).toHaveAccessibleDescription('1,900 of 2,000 characters')
    fireEvent.change(field(), { target: { value: 'x'.repeat(QUESTION_MAX_CHARS + 3) } })
    expect(field()).toHaveAccessibleDescription('3 characters too many to be sent')
    expect(field()).toBeInvalid()
    fireEvent.keyDown(field(), { key: 'Enter' })
    expect(isBlocked('Send')).toBe(true)
    await settle()
    expect(server.lines).toHaveLength(0)
  })
})

describe('an answer', () => {
  async function ask(server: FakeTutor) {
    const opened = openTutor(server)
    await opened.user.type(field(), 'Which valve?{Enter}')
    return opened
  }

  test('is text, whatever is in it, without the lines that begin with a time', { tags: 'spec-5.3' }, async () => {
    const server = new FakeTutor()
    await ask(server)
    await waitFor(() => expect(server.lines).toHaveLength(1))
    server.line.finish({ answer: 'Start at 1:23\n<img src=x onerror=alert(1)> <b>The red one.</b>\n[00:45] there' })
    expect(await screen.findByText('<img src=x onerror=alert(1)> <b>The red one.</b>')).toBeVisible()
    expect(conversation().querySelectorAll('img, b, a')).toHaveLength(0)
    expect(screen.queryByText(/1:23|00:45/)).toBeNull()
  })

  test('an answer that the video does not cover leads to the nearest step', async () => {
    const server = new FakeTutor()
    const { user, video } = await ask(server)
    await waitFor(() => expect(server.lines).toHaveLength(1))
    const step = { id: 's9', title: 'Close the valve', start: 83 }
    server.line.finish({ answer: 'This video does not cover that.', isCovered: false, step })
    expect(await screen.findByText('Not in this video')).toBeVisible()
    await user.click(button('Play from 01:23: Close the valve'))
    expect(video.done).toEqual(['play from 83'])
  })

  test('is stopped, here and on the server, and what there is of it stays', async () => {
    const server = new FakeTutor()
    const { user } = await ask(server)
    await waitFor(() => expect(server.lines).toHaveLength(1))
    server.line.say('The red')
    await screen.findByText('The red')
    await user.click(button('Stop answering'))
    expect(screen.getByText('This answer was stopped.')).toBeVisible()
    expect(button('Send')).toHaveFocus()
    const turnId = server.bodiesOf(STREAM)[0]?.['turnId']
    expect(server.bodiesOf('POST /api/ai/contextual-response/stop')).toEqual([{ moduleId: 'm1', turnId }])
    expect(screen.getByText('The red')).toBeVisible()
    expect(announced()).toContain('The answer was stopped.')
  })

  test('stopped on another page is not requested again', async () => {
    const server = new FakeTutor()
    await ask(server)
    await waitFor(() => expect(server.lines).toHaveLength(1))
    server.line.say('The red')
    server.line.refuse(ANSWER_STOPPED)
    expect(await screen.findByText('This answer was stopped.')).toBeVisible()
    expect(screen.getByText('The red')).toBeVisible()
    expect(server.bodiesOf(WHOLE)).toEqual([])
  })

  test.each([
    ['cannot be opened', BROKEN],
    ['cannot be reached', NETWORK_ERROR],
  ])('comes whole, as the same question, when the stream %s', { tags: 'fault-28' }, async (_, error) => {
    const server = new FakeTutor()
    server.stream = error
    server.whole = { answer: 'The red valve.' }
    await ask(server)
    expect(await screen.findByText('The red valve.')).toBeVisible()
    expect(server.bodiesOf(WHOLE)).toEqual(server.bodiesOf(STREAM))
  })

  test('comes whole when the server breaks it off', async () => {
    const server = new FakeTutor()
    server.whole = { answer: 'The red valve.' }
    await ask(server)
    await waitFor(() => expect(server.lines).toHaveLength(1))
    server.line.say('The r')
    server.line.refuse()
    expect(await screen.findByText('The red valve.')).toBeVisible()
    expect(server.bodiesOf(WHOLE)[0]?.['turnId']).toBe(server.bodiesOf(STREAM)[0]?.['turnId'])
  })

  test('resumes where the stream broke, and is not requested twice', async () => {
    const server = new FakeTutor()
    server.resume = 'line'
    await ask(server)
    await waitFor(() => expect(server.lines).toHaveLength(1))
    server.line.say('The red', ' valve')
    await screen.findByText('The red valve')
    server.line.cut()
    await waitFor(() => expect(server.lines).toHaveLength(2))
    const turnId = server.bodiesOf(STREAM)[0]?.['turnId']
    expect(server.calls.map(({ name }) => name)).toContain(
      `GET /api/ai/contextual-response/stream/m1/${String(turnId)}`,
    )
    server.line.say('The red')
    await settle()
    expect(screen.getByText('The red valve')).toBeVisible()
    server.line.say(' valve', ' it is.')
    expect(await screen.findByText('The red valve it is.')).toBeVisible()
    server.line.finish({ answer: 'The red valve it is.' })
    await waitFor(() => expect(screen.getByText(/^Rate /)).toBeVisible())
    expect(server.bodiesOf(WHOLE)).toEqual([])
  })

  test('an answer that does not come says so in the words of the specification, and can be asked for again', {
    tags: 'spec-8.11',
  }, async () => {
    const server = new FakeTutor()
    server.stream = BROKEN
    server.whole = BROKEN
    const { user } = await ask(server)
    expect(await within(conversation()).findByText(TROUBLE)).toBeVisible()
    expect(announced()).toContain(TROUBLE)
    server.stream = 'line'
    await user.click(button('Ask again'))
    expect(conversation()).toHaveFocus()
    await waitFor(() => expect(server.lines).toHaveLength(1))
    server.line.finish({ answer: 'The red valve.' })
    expect(await screen.findByText('The red valve.')).toBeVisible()
    expect(screen.queryByText(TROUBLE)).toBeNull()
    expect(screen.getAllByText('Which valve?')).toHaveLength(1)
  })

  test('an answer that broke off is kept and marked', { tags: 'fault-28' }, async () => {
    const server = new FakeTutor()
    server.whole = BROKEN
    await ask(server)
    await waitFor(() => expect(server.lines).toHaveLength(1))
    server.line.say('The red')
    server.line.refuse()
    expect(await screen.findByText('The answer broke off here.')).toBeVisible()
    expect(screen.getByText('The red')).toBeVisible()
    expect(within(conversation()).getByText(TROUBLE)).toBeVisible()
  })

  test('is not asked for another way when there were too many questions, and says how long to wait', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const server = new FakeTutor()
    const message = 'You have asked a lot. Please wait a little.'
    server.stream = new ApiError({ status: 429, code: 'rate_limited', message, retryAfterS: 20 })
    openTutor(server)
    fireEvent.change(field(), { target: { value: 'Which valve?' } })
    fireEvent.keyDown(field(), { key: 'Enter' })
    expect(await within(conversation()).findByText(message)).toBeVisible()
    expect(server.bodiesOf(WHOLE)).toEqual([])
    expect(isBlocked('Ask again in 20 s')).toBe(true)
    await act(() => vi.advanceTimersByTimeAsync(21_000))
    server.stream = 'line'
    fireEvent.click(button('Ask again'))
    await waitFor(() => expect(server.lines).toHaveLength(1))
  })

  test('waits while the browser is offline', async () => {
    const server = new FakeTutor()
    const { user } = openTutor(server)
    setOnline(false)
    await user.type(field(), 'Which valve?{Enter}')
    expect(server.lines).toHaveLength(0)
    expect(field()).toHaveValue('Which valve?')
    expect(field()).toHaveAccessibleDescription('You are offline. Your question stays here until you are back.')
    setOnline(true)
    await user.type(field(), '{Enter}')
    await waitFor(() => expect(server.lines).toHaveLength(1))
  })
})

describe('the conversation', () => {
  const before = makeMessages('turn-0001', 'Which valve?', { content: 'The red one.' })

  test('is loaded, and can be cleared', async () => {
    const server = new FakeTutor()
    server.messages = before
    const { user } = openTutor(server)
    expect(screen.getByText('Loading conversation')).toBeInTheDocument()
    expect(await screen.findByText('The red one.')).toBeVisible()
    await user.click(button('More about this conversation'))
    await user.click(await screen.findByRole('menuitem', { name: 'Clear conversation' }))
    await user.click(await screen.findByRole('button', { name: 'Clear' }))
    await waitFor(() => expect(screen.queryByText('The red one.')).toBeNull())
    await waitFor(() => expect(conversation()).toHaveFocus())
    expect(server.calls.map(({ name }) => name)).toContain('DELETE /api/ai/conversation/m1')
  })

  test('stays when it could not be cleared', async () => {
    const server = new FakeTutor()
    server.messages = before
    server.forgetting = NETWORK_ERROR
    const { user } = openTutor(server)
    await user.click(await screen.findByRole('button', { name: 'More about this conversation' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Clear conversation' }))
    await user.click(await screen.findByRole('button', { name: 'Clear' }))
    expect(await screen.findByText('Failed to clear the conversation. Please try again.')).toBeVisible()
    expect(screen.getByText('The red one.')).toBeVisible()
  })

  test('does not block questions when it cannot be loaded', async () => {
    const server = new FakeTutor()
    server.messages = GONE
    openTutor(server)
    expect(await screen.findByText('Your earlier conversation could not be loaded.')).toBeVisible()
    server.messages = before
    fireEvent.click(button('Try again'))
    expect(await screen.findByText('The red one.')).toBeVisible()
  })

  test('resumes an answer that was running when the page was reloaded', async () => {
    const server = new FakeTutor()
    server.messages = makeMessages('turn-0001', 'Which valve?', { content: 'The', isTyping: true, end: null })
    server.resume = 'line'
    openTutor(server)
    expect(await screen.findByText('The')).toBeVisible()
    await waitFor(() => expect(server.lines).toHaveLength(1))
    expect(button('Stop answering')).toBeVisible()
    server.line.say('The red one.')
    expect(await screen.findByText('The red one.')).toBeVisible()
    server.messages = before
    server.line.finish({ answer: 'The red one.' })
    expect(await screen.findByText(/^Rate /)).toBeVisible()
    expect(server.bodiesOf(STREAM)).toEqual([])
  })

  test('shows an answer that has ended before it could be taken up', async () => {
    const server = new FakeTutor()
    server.messages = makeMessages('turn-0001', 'Which valve?', { content: 'The', isTyping: true, end: null })
    openTutor(server)
    await screen.findByText('The')
    server.messages = before
    expect(await screen.findByText('The red one.', {}, { timeout: 4_000 })).toBeVisible()
    expect(button('Send')).toBeVisible()
  })

  test.each([
    ['stopped', 'The red', 'This answer was stopped.'],
    ['broken', 'The red', 'The answer broke off here.'],
    ['broken', '', TROUBLE],
  ] as const)('marks an answer of before that is %s', async (end, content, mark) => {
    const server = new FakeTutor()
    server.messages = makeMessages('turn-0001', 'Which valve?', { content, end })
    openTutor(server)
    expect(await screen.findByText(mark)).toBeVisible()
  })

  test('is the same in another tab', async () => {
    const server = new FakeTutor()
    const { user } = openTutor(server)
    await screen.findByText(/Stuck somewhere/)
    const other = new BroadcastChannel('adapt_tutor')
    const news = vi.fn()
    other.onmessage = news
    await user.type(field(), 'Which valve?{Enter}')
    await waitFor(() => expect(news).toHaveBeenCalledTimes(1))
    server.line.finish({ answer: 'The red one.' })
    await waitFor(() => expect(news).toHaveBeenCalledTimes(2))
    server.messages = makeMessages('turn-0002', 'And then?', { content: 'Close it.' })
    other.postMessage('m1')
    expect(await screen.findByText('Close it.')).toBeVisible()
    other.close()
  })

  test.each([
    ['processing', 'You can ask as soon as the first words have been transcribed.', true],
    ['so-far', 'The video is still being processed. The tutor answers from what is transcribed so far.', false],
    ['nothing', /neither a transcript nor steps/, true],
    ['steps-only', /knows its steps only/, false],
  ] as const)('says what the tutor knows: %s', async (availability, note, isOff) => {
    openTutor(new FakeTutor(), { availability })
    expect(await screen.findByText(note)).toBeVisible()
    expect(field().hasAttribute('disabled')).toBe(isOff)
    expect(isBlocked('Walk me through it')).toBe(isOff)
  })
})

describe('the list', () => {
  test('stays where the reader is, until they jump to the latest', async () => {
    const server = new FakeTutor()
    server.messages = makeMessages('turn-0001', 'Which valve?', { content: 'The red one.' })
    const { user } = openTutor(server)
    await screen.findByText('The red one.')
    const list = conversation()
    vi.spyOn(list, 'scrollHeight', 'get').mockReturnValue(900)
    vi.spyOn(list, 'clientHeight', 'get').mockReturnValue(300)
    list.scrollTop = 100
    fireEvent.scroll(list)
    await user.type(field(), 'And then?{Enter}')
    await waitFor(() => expect(server.lines).toHaveLength(1))
    server.line.say('Close it.')
    await screen.findByText('Close it.')
    expect(list.scrollTop).toBe(100)
    await user.click(button('Jump to latest'))
    expect(list.scrollTop).toBe(900)
    expect(screen.queryByRole('button', { name: 'Jump to latest' })).toBeNull()
    expect(list).toHaveFocus()
  })
})

describe('on a small screen', () => {
  test('is a field alone until it is used, and can be closed again', async () => {
    const server = new FakeTutor()
    const { user } = openTutor(server, {}, 'small')
    expect(screen.queryByRole('region', { name: 'Conversation' })).toBeNull()
    await user.click(button('Show the tutor'))
    expect(conversation()).toHaveFocus()
    await user.click(button('Hide the tutor'))
    expect(screen.queryByRole('region', { name: 'Conversation' })).toBeNull()
    expect(button('Show the tutor')).toHaveFocus()
    await user.click(field())
    expect(button('Walk me through it')).toBeVisible()
  })
})
