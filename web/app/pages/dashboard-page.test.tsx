import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { DigestQuestion } from '#contract/feedback/questions.ts'
import type { Module } from '#contract/module.ts'
import type { DueReview } from '#contract/review.ts'
import { makeModule } from '#contract/testing/examples.ts'
import { fakeUploads } from '#web/features/upload/testing/fake-uploads.ts'
import { UploadContext } from '#web/features/upload/upload-manager.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { DashboardPage } from './dashboard-page.tsx'

const NO_RATINGS = {
  success: true,
  stats: {
    total: 0,
    positive: 0,
    partial: 0,
    negative: 0,
    byType: { video_processing: 0, step_generation: 0, ai_suggestion: 0, transcription: 0 },
    suggestions: 0,
  },
  recentFeedback: [],
}

const OPENED = {
  id: 'opened',
  title: 'Change the filter',
  openedAt: '2026-11-21T10:00:00.000Z',
  trainingUrl: '/training/opened',
  posterUrl: null,
  totalDuration: 200,
  seenSeconds: 0,
  completedAt: null,
}

const CHECKED = { success: true, published: 4, versions: [] }

interface Answers {
  questions?: DigestQuestion[]
  due?: () => DueReview[]
  check?: () => unknown
}

function open(
  modules: () => Module[] | Promise<Module[]>,
  opened: (typeof OPENED)[] = [],
  { questions = [], due = () => [], check = () => CHECKED }: Answers = {},
) {
  const { callApi, calls } = fakeApi({
    'GET /api/modules?limit=60': async () => ({ success: true, modules: await modules(), nextCursor: null }),
    'GET /api/modules/deleted': () => ({ success: true, modules: [] }),
    'GET /api/opened-modules': () => ({ success: true, modules: opened }),
    'GET /api/feedback/stats': () => NO_RATINGS,
    'GET /api/questions': () => ({ success: true, questions }),
    'GET /api/versions/due': () => ({ success: true, trainings: due() }),
    'POST /api/versions/m1/checks': check,
    'GET /api/health': () => Promise.reject(new Error('unreachable')),
  })
  const page = (
    <UploadContext value={fakeUploads().manager}>
      <DashboardPage />
    </UploadContext>
  )
  return { ...renderApp(page, { callApi }), calls }
}

const figures = () => screen.findByRole('heading', { name: 'Feedback' })

/** Whether one stands above the other. */
function isAbove(upper: Element, lower: Element): boolean {
  return (upper.compareDocumentPosition(lower) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}

describe('DashboardPage', () => {
  it.each([
    ['a new person', [], 'Your first module starts with a video'],
    ['a learner', [OPENED], 'You have no modules of your own'],
  ])('shows %s the way to a first module above the figures', async (_, opened, heading) => {
    open(() => [], opened)
    await screen.findByText('Total Feedback')
    const empty = screen.getByRole('heading', { name: heading })
    expect(isAbove(empty, await figures())).toBe(true)
    expect(isAbove(screen.getByRole('button', { name: 'Try it with a sample' }), await figures())).toBe(true)
  })

  it('shows the figures above the modules', async () => {
    open(() => [makeModule({ title: 'Label printer' })])
    await screen.findByText('Total Feedback')
    expect(isAbove(await figures(), screen.getByRole('searchbox'))).toBe(true)
  })

  it('shows no figures before it is known where they stand', async () => {
    const modules = Promise.withResolvers<Module[]>()
    const { calls } = open(() => modules.promise)
    await waitFor(() => expect(calls).toContain('GET /api/feedback/stats'))
    await screen.findByText('Loading your modules')
    expect(screen.queryByText('Total Feedback')).toBeNull()
    modules.resolve([])
    await screen.findByText('Total Feedback')
    expect(isAbove(screen.getByRole('link', { name: 'Upload a video' }), await figures())).toBe(true)
  })

  it('shows what was asked this week that no video covers, with the way to answer it', async () => {
    const question = { moduleId: 'm1', title: 'Label printer', text: 'Which labels?', people: 3, isAnswered: false }
    const answered = { ...question, text: 'How hot?', people: 0, isAnswered: true }
    open(() => [makeModule({ title: 'Label printer' })], [], { questions: [question, answered] })
    const link = await screen.findByRole('link', { name: 'Which labels?' })
    expect(link).toHaveAttribute('href', '/training/m1/questions')
    expect(link.closest('li')).toHaveTextContent('3 people')
    expect(screen.getByRole('link', { name: 'How hot?' }).closest('li')).toHaveTextContent('Answered')
  })

  it('shows which trainings are due for review, until somebody says that they are still right', async () => {
    const user = userEvent.setup()
    const one = { id: 'm1', title: 'Lockout', published: 4, dueAt: '2026-11-03T10:00:00.000Z', mayPublish: true }
    let left: DueReview[] = [one, { ...one, id: 'm2', title: 'Forklift', mayPublish: false }]
    const { calls } = open(() => [makeModule()], [], { due: () => left })
    const link = await screen.findByRole('link', { name: 'Lockout' })
    expect(link).toHaveAttribute('href', '/training/m1/versions')
    expect(link.closest('li')).toHaveTextContent('Review due since Nov 3, 2026')
    // Somebody else has to say so of the other one.
    expect(screen.getAllByRole('button', { name: /^Reviewed, still right/ })).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: 'Reviewed, still right: Lockout' }))
    await user.type(await screen.findByRole('textbox', { name: 'Your name' }), 'Kim Lee')
    left = left.slice(1)
    await user.click(screen.getByRole('button', { name: 'It is still right' }))
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Lockout' })).toBeNull())
    expect(calls).toContain('POST /api/versions/m1/checks')
    expect(screen.getByRole('link', { name: 'Forklift' })).toBeVisible()
  })

  it('asks about the version of now where another one was published meanwhile', async () => {
    const user = userEvent.setup()
    const one = { id: 'm1', title: 'Lockout', published: 4, dueAt: '2026-11-03T10:00:00.000Z', mayPublish: true }
    let published = 4
    const check = () => {
      published = 5
      return Promise.reject(new ApiError({ status: 409, code: 'version_conflict', message: 'Another version' }))
    }
    open(() => [makeModule()], [], { due: () => [{ ...one, published }], check })
    await user.click(await screen.findByRole('button', { name: 'Reviewed, still right: Lockout' }))
    await user.type(await screen.findByRole('textbox', { name: 'Your name' }), 'Kim Lee')
    expect(screen.getByRole('dialog')).toHaveTextContent(/version 4/i)
    await user.click(screen.getByRole('button', { name: 'It is still right' }))
    await waitFor(() => expect(screen.getByRole('dialog')).toHaveTextContent(/version 5/i))
  })

  it('shows the figures where the modules cannot be loaded', async () => {
    open(() => Promise.reject(new Error('Busy.')))
    expect(await screen.findByText('Total Feedback')).toBeVisible()
  })
})
