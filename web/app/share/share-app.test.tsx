import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { QUESTION_MAX_CHARS } from '#contract/limits.ts'
import type { SharePageData } from '#contract/share-page.ts'
import { PlayerStageContext } from '#web/features/player/video-player.tsx'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import { FakeStage, makeShareAnswer } from '#web/testing/page-harness.tsx'
import { ShareApp } from './share-app.tsx'

/** What the server answers to the next call: a body, or a status without one. */
let server: { share: object | number }
const calls: string[] = []

async function answer(path: string, { method = 'GET' }: RequestInit = {}): Promise<Response> {
  calls.push(`${method} ${path}`)
  if (path.endsWith('/live-ticket')) return Response.json({ success: true, ticket: 'ticket' })
  if (path.startsWith('/api/learning-metrics')) return new Response('{}', { status: 503 })
  const { share } = server
  return typeof share === 'number' ? new Response('{}', { status: share }) : Response.json(share)
}

function openPage(first: SharePageData | null, look: 'page' | 'embed' = 'page') {
  return render(
    <PlayerStageContext value={(props) => <FakeStage {...props} />}>
      <ShareApp moduleId="m1" look={look} first={first} />
    </PlayerStageContext>,
  )
}

/** A page that brings its module along, as the server answers it. */
function inlined(fields: Parameters<typeof makeShareAnswer>[0] = {}): SharePageData {
  return { ...makeShareAnswer(fields), status: 200, look: 'page' }
}

function sendEvent(fields: object) {
  const quiet = { kind: 'module', status: 'PROCESSING', message: '', segmentCount: 0 }
  act(() => FakeSocket.all[0]?.receive({ seq: 1, ...quiet, ...fields }))
}

beforeEach(() => {
  FakeSocket.all.length = 0
  calls.length = 0
  server = { share: makeShareAnswer() }
  document.documentElement.lang = 'en'
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('fetch', answer)
  Element.prototype.scrollIntoView = vi.fn()
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  window.history.replaceState(null, '', '/')
  localStorage.clear()
})

describe('ShareApp', () => {
  test('is rendered from the data in the page, without a request or a socket', {
    tags: ['spec-2.11', 'spec-2.28'],
  }, async () => {
    openPage(inlined())
    expect(screen.getByRole('heading', { level: 1, name: 'How to tie a bowline' })).toBeVisible()
    expect(screen.getAllByRole('button', { name: /^Step \d/ })).toHaveLength(3)
    expect(await screen.findByTestId('player')).toHaveAttribute('data-src', '/share/m1/video')
    expect(calls).toEqual([])
    expect(FakeSocket.all).toHaveLength(0)
  })

  test('loads the module where the page has no inlined data', async () => {
    openPage(null)
    expect(await screen.findByRole('heading', { level: 1, name: 'How to tie a bowline' })).toBeVisible()
    expect(calls).toContain('GET /api/share/m1?lang=en')
  })

  test('shows the poster until the player is there, which then does what was asked for', {
    tags: 'spec-2.28',
  }, async () => {
    openPage(inlined({ posterUrl: '/share/m1/images/poster' }))
    expect(document.querySelector('img')).toHaveAttribute('src', '/share/m1/images/poster')
    await userEvent.click(screen.getByRole('button', { name: /Step 2/ }))
    const player = await screen.findByTestId('player')
    await waitFor(() => expect(player).toHaveAttribute('data-playing', 'true'))
    expect(screen.getByLabelText('Video position')).toHaveTextContent('15')
    expect(screen.queryByRole('button', { name: /^Play video/ })).toBeNull()
  })

  test('shows headings over the steps of its chapters, and a line after the last of them', () => {
    const steps = makeShareAnswer().module.steps.map((step, at) => ({
      ...step,
      chapter: at < 2 ? 'Tie the knot' : null,
    }))
    openPage(inlined({ steps }))
    const headings = screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)
    expect(headings.filter((heading) => heading === 'Tie the knot')).toHaveLength(1)
    const [first, second, third] = screen.getAllByRole('listitem')
    expect(first).toHaveTextContent(/^Tie the knot/)
    expect(within(second as HTMLElement).queryByRole('separator')).toBeNull()
    expect(within(third as HTMLElement).getByRole('separator')).toBeVisible()
  })

  test('shows what a learner is to know before a step over its title', () => {
    const [first, ...others] = makeShareAnswer().module.steps
    const callouts = [{ kind: 'warning' as const, text: 'The plate is hot.' }]
    openPage(inlined({ steps: first === undefined ? [] : [{ ...first, callouts }, ...others] }))
    expect(screen.getByText('The plate is hot.').parentElement).toHaveTextContent('Warning: The plate is hot.')
    expect(screen.getAllByRole('listitem')[0]).toHaveTextContent(/^Warning: The plate is hot\..*Step 1/)
  })

  test('says what the image of a step shows, where that is known', () => {
    const [first, second, third] = makeShareAnswer().module.steps
    const image = 'step-0'
    const steps = [first, second, third].flatMap((step, index) =>
      step === undefined ? [] : [{ ...step, image, imageText: index === 0 ? 'Photos, Export' : '' }],
    )
    openPage(inlined({ steps, posterUrl: '/share/m1/images/poster' }))
    const list = screen.getAllByRole('listitem').map((item) => item.querySelector('img')?.getAttribute('alt'))
    expect(list).toEqual(['Photos, Export', '', ''])
  })

  test('copies a command of a step to the character, and plays the video from its moment', async () => {
    const user = userEvent.setup()
    const [first, ...others] = makeShareAnswer().module.steps
    const text = 'grep -rn "<b>" ' + 'very-long-name-'.repeat(20)
    const commands = [{ kind: 'command' as const, text, startMs: 7_000 }]
    openPage(inlined({ steps: first === undefined ? [] : [{ ...first, commands }, ...others] }))
    await screen.findByTestId('player')
    expect((await screen.findByText(text)).closest('[dir]')).toHaveAttribute('dir', 'ltr')
    await user.click(await screen.findByRole('button', { name: /^Copy ?: grep/ }))
    expect(await navigator.clipboard.readText()).toBe(text)
    expect(await screen.findByText('Copied!')).toBeVisible()
    await user.click(screen.getByRole('button', { name: `Play from 00:07: ${text}` }))
    expect(screen.getByLabelText('Video position')).toHaveTextContent('7')
  })

  test('jumps to a step on click and names it in the banner', { tags: 'spec-2.28' }, async () => {
    openPage(inlined())
    await screen.findByTestId('player')
    expect(screen.getByText('Press play, or pick a step to jump to it.')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: /Step 2/ }))
    expect(screen.getByLabelText('Video position')).toHaveTextContent('15')
    expect(screen.getByText('Step 2 of 3 · 00:15')).toBeVisible()
  })

  test('leads to the tutor at the moment where the video is, however the link is opened', async () => {
    openPage(inlined())
    await screen.findByTestId('player')
    const link = screen.getByRole('link', { name: 'Ask the tutor' })
    expect(link).toHaveAttribute('href', '/training/m1?seek=0')
    await userEvent.click(screen.getByRole('button', { name: /Step 2/ }))
    expect(screen.getByLabelText('Video position')).toHaveTextContent('15')
    fireEvent.pointerDown(link, { button: 2 })
    expect(link).toHaveAttribute('href', '/training/m1?seek=15')
    await userEvent.click(screen.getByRole('button', { name: /Step 1/ }))
    link.addEventListener('click', (event) => event.preventDefault())
    fireEvent.click(link)
    expect(link).toHaveAttribute('href', expect.stringMatching(/^\/training\/m1\?seek=[01]$/))
  })

  test('does not lead to the tutor from a frame, where no one can sign in', () => {
    openPage(inlined(), 'embed')
    expect(screen.queryByRole('link', { name: 'Ask the tutor' })).toBeNull()
  })

  describe('the tutor behind the link', () => {
    const ask = async (question: string) => {
      await userEvent.click(screen.getByRole('button', { name: 'Ask the tutor' }))
      await userEvent.type(await screen.findByRole('textbox', { name: 'Your question' }), `${question}{Enter}`)
    }
    const serve = (body: object, status = 200) =>
      vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
        if (!path.endsWith('/questions')) return answer(path, init)
        calls.push(init?.body as string)
        return Response.json(body, { status, headers: { 'retry-after': '10' } })
      })
    const ANSWER = {
      success: true,
      answer: '“Cross the ends.” (0:15)',
      turnId: 't',
      isCovered: true,
      citations: [{ segmentIds: ['s1'], start: 15, sentence: 'Cross the ends.' }],
      step: null,
      ms: 5,
    }

    test.each(['page', 'embed'] as const)(
      'answers on the %s, where the video is, and plays the moment',
      async (look) => {
        serve(ANSWER)
        openPage(inlined({ hasTutor: true }), look)
        await screen.findByTestId('player')
        await userEvent.click(screen.getByRole('button', { name: /Step 2/ }))
        await ask('What do I cross?')
        const asked = JSON.parse(calls.at(-1) ?? '{}')
        expect(asked).toMatchObject({ question: 'What do I cross?', videoTime: 15, stepId: expect.any(String) })
        await userEvent.click(screen.getByRole('button', { name: /Step 1/ }))
        await userEvent.click(await screen.findByRole('button', { name: 'Play from 00:15' }))
        expect(screen.getByLabelText('Video position')).toHaveTextContent('15')
        expect(screen.queryByRole('link', { name: 'Ask the tutor' })).toBeNull()
      },
    )

    test('sends what the video does not cover to the trainer, and has the answer in view on return', async () => {
      const step = { id: 'a', title: 'Step 2', start: 15 }
      const given = {
        id: 'n',
        question: 'Why?',
        text: 'It holds better.',
        step,
        answeredAt: '2026-11-03T10:00:00.000Z',
        isEarlier: true,
      }
      let asked: object[] = []
      const sent: string[] = []
      vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
        if (path.endsWith('/questions'))
          return Response.json({
            ...ANSWER,
            answer: 'This video does not cover that.',
            isCovered: false,
            citations: [],
          })
        if (!path.startsWith('/api/asked/m1')) return answer(path, init)
        if (init?.method === 'POST') sent.push(init.body as string)
        else calls.push(path)
        return Response.json(init?.method === 'POST' ? { success: true, learner: 'token' } : { success: true, asked })
      })
      const first = openPage(inlined({ hasTutor: true }))
      expect(screen.queryByRole('textbox', { name: 'Your question' })).toBeNull()
      await ask('Why?')
      const askTrainer = await screen.findByRole('button', { name: 'Ask the trainer' })
      expect(screen.getByText('If you ask the trainer, this question is kept for them.')).toBeVisible()
      await userEvent.click(await screen.findByRole('button', { name: 'Let 15 seconds pass' }))
      await userEvent.click(askTrainer)
      expect(await screen.findByText(/^Sent to the trainer\./)).toHaveFocus()
      expect(JSON.parse(sent[0] ?? '{}')).toMatchObject({ question: 'Why?', turnId: expect.any(String), videoTime: 0 })
      first.unmount()
      asked = [{ question: 'Why?', askedAt: '2026-11-02T10:00:00.000Z', answer: given }]
      const second = openPage(inlined({ hasTutor: true }))
      expect(await screen.findByText('It holds better.')).toBeVisible()
      expect(screen.getByText(/^Answered by the trainer on Nov 3, 2026 · Given for an earlier version$/)).toBeVisible()
      expect(calls).toContain('/api/asked/m1?learner=token')
      const answers = within(screen.getByRole('region', { name: 'Your questions to the trainer' }))
      await screen.findByTestId('player')
      await userEvent.click(answers.getByRole('button', { name: /Step 2/ }))
      expect(screen.getByLabelText('Video position')).toHaveTextContent('15')
      second.unmount()
      openPage(inlined({ hasTutor: true }))
      expect(screen.queryByText('It holds better.')).toBeNull()
    })

    test('says what the server says where it cannot be asked, and asks again', async () => {
      serve({ success: false, error: 'Sign in to ask the tutor about this training.' }, 401)
      openPage(inlined({ hasTutor: true }))
      await ask('What do I cross?')
      expect(await screen.findByText('Sign in to ask the tutor about this training.')).toBeVisible()
      serve(ANSWER)
      await userEvent.click(screen.getByRole('button', { name: 'Ask again' }))
      expect(await screen.findByText(/Cross the ends/)).toBeVisible()
    })

    test('waits as long as the server says where very many ask', async () => {
      serve({ success: false, error: 'Many people are asking.' }, 429)
      openPage(inlined({ hasTutor: true }))
      await ask('What do I cross?')
      expect(await screen.findByText('Many people are asking.')).toBeVisible()
      expect(screen.getByRole('button', { name: /^Ask again in \d+ s$/ })).toHaveAttribute('aria-disabled', 'true')
    })

    test('refuses a question that is too long, and cuts nothing of it', async () => {
      serve(ANSWER)
      openPage(inlined({ hasTutor: true }))
      await userEvent.click(screen.getByRole('button', { name: 'Ask the tutor' }))
      const field = await screen.findByRole('textbox', { name: 'Your question' })
      await userEvent.click(field)
      await userEvent.paste('x'.repeat(QUESTION_MAX_CHARS + 1))
      expect(field).toHaveAccessibleDescription('1 characters too many to be sent')
      await userEvent.keyboard('{Enter}')
      expect(calls).toEqual([])
      expect(field).toHaveValue('x'.repeat(QUESTION_MAX_CHARS + 1))
    })

    test('is closed by its button, which gives the keyboard back', async () => {
      serve(ANSWER)
      openPage(inlined({ hasTutor: true }))
      await userEvent.click(screen.getByRole('button', { name: 'Ask the tutor' }))
      await userEvent.click(await screen.findByRole('button', { name: 'Close the tutor' }))
      expect(screen.getByRole('button', { name: 'Ask the tutor' })).toHaveFocus()
      expect(screen.queryByRole('region', { name: 'Ask the tutor' })).toBeNull()
    })
  })

  test('starts where the address says', async () => {
    window.history.replaceState(null, '', '/share/m1?t=0:16')
    openPage(inlined())
    await screen.findByTestId('player')
    expect(screen.getByLabelText('Video position')).toHaveTextContent('16')
    expect(screen.getByText('Step 2 of 3 · 00:15')).toBeVisible()
  })

  test('loads a video that breaks again, twice, and then says so', async () => {
    openPage(inlined())
    await screen.findByTestId('player')
    for (let time = 0; time < 3; time++) await userEvent.click(screen.getByRole('button', { name: 'Break the video' }))
    expect(await screen.findByText('Video Unavailable')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByTestId('player')).toBeVisible()
  })

  test('says of a video that this browser cannot show what it is in, and plays its audio where that is wanted', async () => {
    vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockReturnValue('')
    openPage(inlined({ videoCodec: 'hvc1.1.6.L93.B0' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Your browser cannot show this video')
    expect(await screen.findByText(/It is in HEVC \(H\.265\)\. Open this page in another browser/)).toBeVisible()
    expect(screen.queryByText('Video Unavailable')).toBeNull()
    expect(screen.getAllByRole('button', { name: /^Step \d/ })).toHaveLength(3)
    await userEvent.click(screen.getByRole('button', { name: 'Play the audio' }))
    expect(await screen.findByTestId('player')).toHaveAttribute('data-playing', 'true')
  })

  test('plays a video in a format that only some browsers show, where this one does', async () => {
    vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockReturnValue('probably')
    openPage(inlined({ videoCodec: 'hvc1.1.6.L93.B0' }))
    expect(await screen.findByTestId('player')).toBeVisible()
  })

  test('links to the whole page from a frame', async () => {
    openPage(inlined(), 'embed')
    await screen.findByTestId('player')
    const link = screen.getByRole('link', { name: /How to tie a bowline/ })
    expect(link).toHaveAttribute('href', '/share/m1')
    expect(link).toHaveAttribute('target', '_blank')
  })

  test('shows markup in a step as the text that it is', { tags: ['fault-29', 'threat-14'] }, async () => {
    const spell = '<img src="//evil.test"> [click](javascript:alert(1))'
    const steps = makeShareAnswer().module.steps.map((step) => ({ ...step, title: spell, description: spell }))
    openPage(inlined({ title: spell, steps }))
    expect(await screen.findByRole('heading', { level: 1, name: spell })).toBeVisible()
    expect(screen.getAllByText(spell).length).toBeGreaterThan(steps.length)
    expect(document.querySelector('[src*="evil"], [href^="javascript:"]')).toBeNull()
  })

  test('says that a module is not there, without asking again', { tags: 'spec-8.13' }, async () => {
    openPage({ module: null, status: 404, look: 'page' })
    expect(await screen.findByRole('heading', { name: 'Module Not Found' })).toBeVisible()
    expect(screen.getByText('This training module could not be found or is no longer available.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go Home' })).toHaveAttribute('href', '/')
    expect(calls).toEqual([])
  })

  test('offers to try again after any other failure', { tags: 'spec-8.13' }, async () => {
    server.share = 503
    vi.useFakeTimers({ shouldAdvanceTime: true })
    openPage({ module: null, status: 503, look: 'page' })
    await act(() => vi.advanceTimersByTimeAsync(3_500))
    expect(screen.getByText('Could not load training module. Please try again.')).toBeVisible()
    server.share = makeShareAnswer()
    vi.useRealTimers()
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByTestId('player')).toBeVisible()
  })

  test('shows what changed when a person comes back to it after more than a minute', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    openPage(inlined())
    server.share = makeShareAnswer({ title: 'Another title' })
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(calls).toEqual([])
    await act(() => vi.advanceTimersByTimeAsync(61_000))
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(await screen.findByRole('heading', { level: 1, name: 'Another title' })).toBeVisible()
  })

  test('is over when the module is taken back while it is shown', async () => {
    openPage(inlined({ status: 'PROCESSING', progress: 60 }))
    await vi.waitFor(() => expect(FakeSocket.all).toHaveLength(1))
    server.share = 404
    sendEvent({ progress: 60, stepsVersion: 2 })
    expect(await screen.findByRole('heading', { name: 'Sharing has ended' })).toBeVisible()
  })

  test('says that sharing has ended when the video of a page that is open is refused', async () => {
    openPage(inlined())
    server.share = 404
    await userEvent.click(await screen.findByRole('button', { name: 'Break the video' }))
    expect(await screen.findByRole('heading', { name: 'Sharing has ended' })).toBeVisible()
    expect(screen.queryByText('Video Unavailable')).toBeNull()
    expect(screen.getByRole('link', { name: 'Go Home' })).toBeVisible()
  })

  test('shows the progress of a module that is still made, and opens by itself', async () => {
    openPage(inlined({ status: 'PROCESSING', progress: 40, steps: [] }))
    expect(await screen.findByText(/This training is being prepared/)).toBeVisible()
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40')
    await vi.waitFor(() => expect(FakeSocket.all).toHaveLength(1))
    server.share = makeShareAnswer()
    sendEvent({ status: 'READY', progress: 100, stepsVersion: 1 })
    expect(await screen.findByTestId('player')).toBeVisible()
  })

  test('plays the video while the first steps are still made, once it has arrived', async () => {
    const early = { status: 'PROCESSING', progress: 40, hasVideo: false, uploadPercent: 43 } as const
    openPage(inlined({ ...early, steps: [] }))
    expect(await screen.findByText(/It opens here by itself/)).toBeVisible()
    expect(screen.getByText('Video 43 % uploaded')).toBeVisible()
    expect(screen.queryByTestId('player')).toBeNull()
    await vi.waitFor(() => expect(FakeSocket.all).toHaveLength(1))
    server.share = makeShareAnswer({ status: 'PROCESSING', progress: 42, steps: [] })
    sendEvent({ progress: 42, stepsVersion: 0 })
    expect(await screen.findByTestId('player')).toBeVisible()
    expect(screen.getByText(/You can watch the video already/)).toBeVisible()
  })

  test('shows steps as they come, sums them up, and keeps player and focus to the end', async () => {
    const { steps } = makeShareAnswer().module
    const part = { status: 'PROCESSING', progress: 62, message: 'secret words', steps: steps.slice(1, 2) } as const
    openPage(inlined(part))
    const player = await screen.findByTestId('player')
    expect(await screen.findByText('1 step so far')).toHaveAttribute('role', 'status')
    const shown = screen.getByRole('button', { name: /^Step 1/ })
    shown.focus()
    await vi.waitFor(() => expect(FakeSocket.all).toHaveLength(1))
    server.share = makeShareAnswer()
    sendEvent({ status: 'READY', progress: 100, stepsVersion: 2 })
    expect(await screen.findByRole('button', { name: /^Step 3/ })).toBeVisible()
    expect(screen.getByRole('button', { name: /^Step 2/ })).toBe(shown)
    expect(shown).toHaveFocus()
    expect(screen.queryByRole('progressbar')).toBeNull()
    expect(screen.getByTestId('player')).toBe(player)
  })

  test('keeps the steps of a module that failed later, without the reason', async () => {
    const { steps } = makeShareAnswer().module
    openPage(inlined({ status: 'FAILED', message: 'secret reason', steps: steps.slice(0, 1) }))
    expect(await screen.findByRole('button', { name: /^Step 1/ })).toBeVisible()
    expect(screen.getByText(/some of its steps may be missing/)).toBeVisible()
    expect(screen.queryByText(/secret reason/)).toBeNull()
  })

  test('says of a failed module that it is not available yet, without the reason', async () => {
    openPage(inlined({ status: 'FAILED', message: 'secret reason', steps: [] }))
    expect(await screen.findByText(/not available yet/)).toBeVisible()
    expect(screen.queryByText(/secret reason/)).toBeNull()
  })
})
