import { act, fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useRef } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PlayerHandle } from '#web/features/player/player-handle.ts'
import type { ListedStep } from '#web/features/step/step-list.tsx'
import { FakeStage } from '#web/testing/page-harness.tsx'
import { useFollowAlong } from './use-follow-along.tsx'

const STEPS: ListedStep[] = ['Open the lid', 'Put the roll in', 'Close the lid'].map((title, index) => ({
  id: `s${index}`,
  title,
  description: `How to: ${title}.`,
  start: index * 15,
  end: index * 15 + 15,
  isDraft: false,
  chapter: null,
  callouts: index === 1 ? [{ kind: 'warning', text: 'The edge is sharp.' }] : [],
  commands: index === 0 ? [{ kind: 'command', text: 'lid --open', startMs: 4_000 }] : [],
  focus: null,
  imageText: '',
  image: [null, 'poster', 'step-30000'][index] ?? null,
}))

interface PageProps {
  language: string | null
  steps?: ListedStep[]
  report?: (step: { id: string }, number: number) => void
}

function Page({ language, steps = STEPS, report }: PageProps) {
  const player = useRef<PlayerHandle>(null)
  const follow = useFollowAlong({
    module: { id: 'm1', title: 'Paper', posterUrl: '/share/m1/images/poster' },
    steps,
    language,
    player,
    reporting: report ? { report } : null,
  })
  return (
    <>
      {follow.button}
      {follow.place(<FakeStage ref={player} src="v.mp4" title="Paper" onTimeChange={follow.noteTime} />)}
    </>
  )
}

async function open(language: string | null = null, steps = STEPS, report?: PageProps['report']) {
  const user = userEvent.setup()
  const view = render(<Page language={language} steps={steps} {...(report && { report })} />)
  await user.click(screen.getByRole('button', { name: 'Follow along' }))
  await screen.findByRole('heading', { name: 'Open the lid' })
  return { user, ...view }
}

const listImages = () => [...document.querySelectorAll('dialog img')].map((image) => image.getAttribute('src'))

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const heading = () => screen.getByRole('heading').textContent
const isPlaying = () => screen.getByTestId('player').dataset['playing']
const isDone = () => screen.getByRole('button', { name: 'Done' }).getAttribute('aria-pressed')

/** What the browser recognises, in the hands of a test. */
class FakeRecogniser {
  static latest: FakeRecogniser | null = null
  lang = ''
  onresult: ((event: object) => void) | null = null
  onerror: ((event: object) => void) | null = null
  onend: (() => void) | null = null
  start() {
    FakeRecogniser.latest = this
  }
  stop() {}
  abort() {}
  readonly #results: object[] = []
  say(transcript: string) {
    this.#results.push(Object.assign([{ transcript }], { isFinal: true }))
    act(() => this.onresult?.({ results: this.#results }))
  }
}

/** What the browser reads aloud. */
const spoken: { text: string; lang: string; onend: (() => void) | null }[] = []

beforeEach(() => {
  localStorage.clear()
  spoken.length = 0
  FakeRecogniser.latest = null
  // jsdom has dialogs that cannot be opened.
  HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
    this.open = false
    this.dispatchEvent(new Event('close'))
  }
})

afterEach(() => {
  vi.unstubAllGlobals()
  window.history.replaceState(null, '', '/')
})

it('shows one step at a time, with its warnings before it, and marks what was left by next', async () => {
  await open()
  expect(screen.getByText('Step 1 of 3')).toBeVisible()
  expect(screen.getByText('How to: Open the lid.')).toBeVisible()
  press('Next')
  expect(heading()).toBe('Put the roll in')
  expect(screen.getByText('The edge is sharp.')).toBeVisible()
  expect(isDone()).toBe('false')
  press('Back')
  expect(heading()).toBe('Open the lid')
  expect(isDone()).toBe('true')
  press('Done')
  expect(isDone()).toBe('false')
})

it('plays the step and waits at its end, until it is repeated', async () => {
  await open()
  expect(isPlaying()).toBe('true')
  fireEvent.click(screen.getByRole('button', { name: 'Let 15 seconds pass' }))
  expect(isPlaying()).toBe('false')
  press('Repeat')
  expect(isPlaying()).toBe('true')
  expect(screen.getByLabelText('Video position')).toHaveTextContent(/^0$/)
})

it('waits at the last word of a step before a pause, and goes from there to the first word of the next', async () => {
  await open(
    null,
    STEPS.map((step, index) => ({ ...step, start: index * 60, end: index * 60 + (index === 0 ? 15.1 : 15) })),
  )
  const pass = () => fireEvent.click(screen.getByRole('button', { name: 'Let 15 seconds pass' }))
  pass()
  expect(isPlaying()).toBe('true')
  press('Next')
  expect(screen.getByLabelText('Video position')).toHaveTextContent(/^60$/)
  expect(isPlaying()).toBe('true')
  pass()
  expect(isPlaying()).toBe('false')
})

it('goes by the keys that foot pedals send, and by swipes', async () => {
  const { user } = await open()
  await user.keyboard('{PageDown}')
  expect(heading()).toBe('Put the roll in')
  await user.keyboard('{ArrowRight}')
  expect(heading()).toBe('Close the lid')
  await user.keyboard('{PageUp}{ArrowLeft}')
  expect(heading()).toBe('Open the lid')
  const dialog = screen.getByRole('dialog')
  fireEvent.touchStart(dialog, { touches: [{ clientX: 300, clientY: 200 }] })
  fireEvent.touchEnd(dialog, { changedTouches: [{ clientX: 120, clientY: 210 }] })
  expect(heading()).toBe('Put the roll in')
  fireEvent.touchStart(dialog, { touches: [{ clientX: 120, clientY: 200 }] })
  fireEvent.touchEnd(dialog, { changedTouches: [{ clientX: 140, clientY: 500 }] })
  expect(heading()).toBe('Put the roll in')
})

it('says at the end how much is done, and gives the video back where it is closed', async () => {
  await open()
  press('Next')
  press('Next')
  press('Finish')
  expect(heading()).toBe('That was the last step')
  expect(screen.getByText('Steps marked as done: 3 of 3.')).toBeVisible()
  fireEvent.click(screen.getAllByRole('button', { name: 'Close' })[0] as HTMLElement)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(window.location.search).toBe('')
  await vi.waitFor(() => expect(screen.getByLabelText('Video position')).toHaveTextContent('30'))
})

it('comes back to the step and its marks after a reload', async () => {
  const { unmount } = await open()
  press('Next')
  expect(window.location.search).toBe('?follow=1')
  unmount()
  window.history.replaceState(null, '', '/?follow=1')
  render(<Page language={null} />)
  expect(await screen.findByRole('heading', { name: 'Put the roll in' })).toBeVisible()
  press('Back')
  expect(isDone()).toBe('true')
})

it('asks before it listens, then obeys in the language of the video and shows that it listens', async () => {
  vi.stubGlobal('SpeechRecognition', FakeRecogniser)
  await open('de')
  press('Voice')
  expect(screen.getByText(/may send what you say to its maker/)).toBeVisible()
  expect(FakeRecogniser.latest).toBeNull()
  press('Start listening')
  expect(screen.getByText(/^Listening\. Say “weiter”/)).toBeVisible()
  expect(FakeRecogniser.latest?.lang).toBe('de-DE')
  FakeRecogniser.latest?.say('Weiter')
  expect(heading()).toBe('Put the roll in')
  FakeRecogniser.latest?.say('das war nicht für dich')
  expect(heading()).toBe('Put the roll in')
  FakeRecogniser.latest?.say('langsamer')
  expect(screen.getByTestId('player').dataset['rate']).toBe('0.75')
  FakeRecogniser.latest?.say('Stopp')
  expect(isPlaying()).toBe('false')
  act(() => FakeRecogniser.latest?.onerror?.({ error: 'not-allowed' }))
  expect(screen.getByText(/may not use the microphone/)).toBeVisible()
})

it('reports from the step at hand by a button and by a word, where learners can, and types nothing into the mode', async () => {
  vi.stubGlobal('SpeechRecognition', FakeRecogniser)
  const reported: [string, number][] = []
  const { user } = await open('de', STEPS, ({ id }, number) => reported.push([id, number]))
  press('Voice')
  expect(screen.getByText(/“melden”/)).toBeVisible()
  press('Start listening')
  press('Next')
  FakeRecogniser.latest?.say('Melden')
  expect(isPlaying()).toBe('false')
  press('Report')
  expect(reported).toEqual([
    ['s1', 2],
    ['s1', 2],
  ])
  const sheet = document.body.appendChild(document.createElement('dialog'))
  sheet.dataset['sheet'] = ''
  sheet.open = true
  const line = sheet.appendChild(document.createElement('input'))
  line.focus()
  await user.keyboard('right r ')
  expect([line.value, heading()]).toEqual(['right r ', 'Put the roll in'])
  sheet.remove()
})

it('has no switch for what the browser cannot do', async () => {
  await open()
  expect(screen.queryByRole('button', { name: 'Voice' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Read aloud' })).toBeNull()
  expect(await screen.findByText(/lets the screen turn off/)).toBeVisible()
})

it('reads a step aloud and then shows it; what was cut off shows nothing', async () => {
  vi.stubGlobal('speechSynthesis', { speak: (each: (typeof spoken)[0]) => spoken.push(each), cancel: () => {} })
  vi.stubGlobal(
    'SpeechSynthesisUtterance',
    class {
      text: string
      lang = ''
      onend = null
      constructor(text: string) {
        this.text = text
      }
    },
  )
  const { unmount } = await open('fr')
  press('Read aloud')
  expect(isPlaying()).toBe('false')
  press('Next')
  expect(spoken.map(({ text }) => text)).toEqual([
    '1. Open the lid. How to: Open the lid.',
    '2. Put the roll in. warning: The edge is sharp. How to: Put the roll in.',
  ])
  expect(spoken[0]?.lang).toBe('fr-FR')
  act(() => spoken[0]?.onend?.())
  expect(isPlaying()).toBe('false')
  act(() => spoken[1]?.onend?.())
  expect(isPlaying()).toBe('true')
  unmount()
})

it('keeps the screen on, also after another tab was looked at', async () => {
  const request = vi.fn(async () => ({ release: vi.fn(async () => {}) }))
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { wakeLock: { request } }))
  await open()
  await vi.waitFor(() => expect(request).toHaveBeenCalledTimes(1))
  expect(screen.queryByText(/lets the screen turn off/)).toBeNull()
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  await vi.waitFor(() => expect(request).toHaveBeenCalledTimes(2))
})

it('shows the image of a step beside its words, but not the poster of the video, nor one that there is not', async () => {
  await open()
  expect(listImages()).toEqual([])
  press('Next')
  expect(listImages()).toEqual([])
  press('Next')
  expect(listImages()).toEqual(['/share/m1/images/step-30000'])
})
