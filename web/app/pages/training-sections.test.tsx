import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { QuestionsAnswer } from '#contract/feedback/questions.ts'
import type { ModuleRole } from '#contract/module.ts'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import { type Answers, makeTrainingAnswers, renderPage } from '#web/testing/page-harness.tsx'
import { TrainingPage } from './training-page.tsx'

const PATH = '/training/:moduleId/:section?'
const OPEN: QuestionsAnswer = { success: true, places: [], open: 4, grouped: 4, hiddenGroups: 0, answers: [] }

function openPage(url: string, fields: { role?: ModuleRole; hasVideo?: boolean } = {}, more: Answers = {}) {
  return renderPage(<TrainingPage />, { path: PATH, url, answers: makeTrainingAnswers(fields, more) })
}

const findNav = () => screen.findByRole('navigation', { name: 'Sections of this training' })
const linkOf = (name: RegExp | string) => screen.getByRole('link', { name })

let isWide: boolean

beforeEach(() => {
  isWide = true
  FakeSocket.all.length = 0
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('64rem') && isWide,
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  Element.prototype.scrollIntoView = vi.fn()
})

afterEach(() => vi.unstubAllGlobals())

describe('the sections of a training', () => {
  test('the sections of a training are links with addresses, and the player stays as it is from one to the next', async () => {
    const { router } = openPage('/training/m1')
    const player = await screen.findByTestId('player')
    const links = within(await findNav()).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual(
      ['transcript', 'questions', 'learners', 'feedback', 'settings'].map((name) => `/training/m1/${name}`),
    )
    expect(linkOf('Transcript')).toHaveAttribute('aria-current', 'page')
    await userEvent.click(screen.getByRole('button', { name: 'Let 15 seconds pass' }))
    await userEvent.click(linkOf(/^Learners/))
    expect(router.state.location.pathname).toBe('/training/m1/learners')
    expect(linkOf(/^Learners/)).toHaveAttribute('aria-current', 'page')
    expect(linkOf(/^Learners/)).toHaveFocus()
    expect(linkOf('Transcript')).not.toHaveAttribute('aria-current')
    await waitFor(() => expect(document.title).toMatch(/^Learners · How to tie a bowline/))
    await act(() => router.navigate(-1))
    expect(linkOf('Transcript')).toHaveAttribute('aria-current', 'page')
    expect(screen.getByTestId('player')).toBe(player)
    expect(screen.getByLabelText('Video position')).toHaveTextContent('15')
  })

  test('keep what is typed in them', async () => {
    openPage('/training/m1/feedback')
    const field = await screen.findByRole('textbox', { name: 'What should the AI have done better?' })
    await userEvent.type(field, 'Shorter titles')
    await userEvent.click(linkOf('Settings'))
    await userEvent.click(linkOf('Feedback'))
    expect(screen.getByRole('textbox', { name: 'What should the AI have done better?' })).toHaveValue('Shorter titles')
  })

  test('an invited person edits the steps on a page without them, shares nothing, and reads versions', async () => {
    const { router, countCalls } = openPage('/training/m1/settings', { role: 'editor' })
    expect(await screen.findByRole('button', { name: 'Edit step 1: Title of step 1' })).toBeVisible()
    await waitFor(() => expect(router.state.location.pathname).toBe('/training/m1'))
    expect(screen.queryByRole('navigation', { name: 'Sections of this training' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Share/ })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'More for this module' }))
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['Published versions'])
    for (const name of ['questions', 'step-reports', 'learning-metrics', 'recordings'])
      expect(countCalls(`GET /api/${name}/m1`)).toBe(0)
  })

  test('say how many questions wait', async () => {
    openPage('/training/m1', {}, { 'GET /api/questions/m1': OPEN })
    await findNav()
    expect(await screen.findByRole('link', { name: /^Questions\W*4\W*open$/ })).toBeVisible()
  })

  test('lead to the training itself where there is none of that name, with what else the address says', async () => {
    const { router } = openPage('/training/m1/nothing?seek=20#step-2')
    expect(await screen.findByRole('form', { name: 'Edit step 2' })).toBeVisible()
    expect(router.state.location).toMatchObject({ pathname: '/training/m1', search: '?seek=20', hash: '#step-2' })
    expect(screen.getByLabelText('Video position')).toHaveTextContent('20')
  })

  test('the sections of a training without a video have nothing to watch or to ask about', async () => {
    openPage('/training/m1/learners', { hasVideo: false })
    expect(within(await findNav()).getAllByRole('link')).toHaveLength(3)
    expect(linkOf('Transcript')).toHaveAttribute('aria-current', 'page')
  })

  test('the sections of a training are not for viewers, who get the simple page at any of their addresses', async () => {
    // Loaded with a viewer's player, and not after the test.
    await import('#web/features/learning/learning-log.ts')
    const { router } = openPage('/training/m1/learners', { role: 'viewer' })
    expect(await screen.findByTestId('player')).toBeVisible()
    await waitFor(() => expect(router.state.location.pathname).toBe('/training/m1'))
    for (const name of ['Transcript', 'Steps', 'Feedback']) expect(screen.getByRole('region', { name })).toBeVisible()
    expect(screen.queryByRole('navigation', { name: 'Sections of this training' })).toBeNull()
    expect(screen.queryByRole('region', { name: 'Learners' })).toBeNull()
  })

  test('the sections of a training are brought into view with the focus on their heading where they stand one below the other', async () => {
    isWide = false
    openPage('/training/m1/learners')
    const heading = await screen.findByRole('heading', { name: 'Learners' })
    await waitFor(() => expect(screen.getByRole('region', { name: 'Learners' })).toBeVisible())
    await userEvent.click(linkOf('Feedback'))
    expect(screen.getByRole('heading', { name: 'Feedback' })).toHaveFocus()
    await userEvent.click(linkOf(/^Learners/))
    expect(heading).toHaveFocus()
  })
})
