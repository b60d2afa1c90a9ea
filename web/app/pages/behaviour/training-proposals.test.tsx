// Behaviour: proposed steps on the page of a training.
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Module } from '#contract/module.ts'
import type { Proposal } from '#contract/step.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import {
  type Answers,
  makeProblem,
  makeStep,
  makeStepsAnswer,
  makeTrainingAnswers,
  renderPage,
} from '#web/testing/page-harness.tsx'
import { Toaster } from '#web/ui/toast.tsx'
import { TrainingPage } from '../training-page.tsx'

const DECIDE = 'POST /api/steps/m1/proposals'
const OWN = [makeStep(1, 0), makeStep(2, 60)]
const OFFERED: Proposal[] = [
  { ...makeStep(1, 1), id: 'r2-1', title: 'Name of step 1', replaces: ['s1'] },
  { ...makeStep(3, 100), id: 'r2-100', title: 'Pull it tight', replaces: [] },
]

function makeQuotaProblem(quota: object): ApiError {
  const problem = {
    type: 'about:blank',
    title: 'Limit',
    status: 429,
    code: 'quota_reached',
    detail: 'UTC',
    requestId: 'r',
  }
  const body = { ...problem, success: false, error: 'UTC', quota }
  return new ApiError({ status: 429, code: 'quota_reached', message: 'UTC', body })
}

/** A server that keeps what is offered, and answers decisions with the steps that are there then. */
function openPage(fields: Partial<Module> = {}, more: Answers = {}) {
  let offered = OFFERED
  let steps = OWN
  const sent: { ids: string[]; decision: string }[] = []
  const answers = makeTrainingAnswers(fields, {
    'GET /api/steps/m1': makeStepsAnswer(OWN),
    'GET /api/steps/m1/proposals': () => ({ success: true, proposals: offered }),
    [DECIDE]: ({ body }: { body: { ids: string[]; decision: string } }) => {
      sent.push(body)
      const isUndone = body.decision === 'undo'
      offered = isUndone ? OFFERED : offered.filter((step) => !body.ids.includes(step.id))
      const accepted = body.decision === 'accept' ? OFFERED.filter((step) => body.ids.includes(step.id)) : []
      const gone = accepted.flatMap(({ replaces }) => replaces)
      steps = isUndone ? OWN : [...steps.filter(({ id }) => !gone.includes(id)), ...accepted]
      return makeStepsAnswer(steps)
    },
    ...more,
  })
  const page = (
    <>
      <TrainingPage />
      <Toaster />
    </>
  )
  const view = renderPage(page, { path: '/training/:moduleId', url: '/training/m1', answers })
  return { ...view, answers, sent }
}

const panel = () => screen.findByRole('region', { name: /Proposed changes/ })

beforeEach(() => {
  FakeSocket.all.length = 0
  vi.stubGlobal('WebSocket', FakeSocket)
  Element.prototype.scrollIntoView = vi.fn()
})
afterEach(() => vi.unstubAllGlobals())

describe('proposals of a new run', () => {
  test('stand beside the steps that give way to them, with what differs marked', async () => {
    openPage()
    const [first, second] = within(await panel()).getAllByRole('listitem')
    expect(within(first as HTMLElement).getByRole('insertion')).toHaveTextContent('Name')
    expect(within(first as HTMLElement).getByRole('deletion')).toHaveTextContent('Title')
    expect(within(first as HTMLElement).getByText('00:00–00:10')).toBeVisible()
    expect(within(first as HTMLElement).getByText('00:01–00:11')).toBeVisible()
    expect(within(second as HTMLElement).getByText('No step of yours is about this.')).toBeVisible()
  })

  test('become steps when they are accepted, and go back on Undo', async () => {
    const { sent } = openPage()
    await panel()
    await userEvent.click(screen.getByRole('button', { name: 'Accept “Pull it tight”' }))
    expect(await screen.findByRole('button', { name: /Step 3:.*Pull it tight/ })).toBeVisible()
    expect(within(await panel()).getAllByRole('listitem')).toHaveLength(1)
    // jsdom knows no pointer capture, which a toast asks for when it is pressed.
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: /Step 3/ })).toBeNull())
    expect(within(await panel()).getAllByRole('listitem')).toHaveLength(2)
    expect(sent).toEqual([
      { ids: ['r2-100'], decision: 'accept' },
      { ids: ['r2-100'], decision: 'undo' },
    ])
  })

  test('keep the steps of the last decision when an older answer arrives after it', async () => {
    const late = Promise.withResolvers<unknown>()
    const { answers, queryClient, countCalls } = openPage()
    await panel()
    answers['GET /api/steps/m1'] = () => late.promise
    void queryClient.invalidateQueries({ queryKey: ['steps', 'm1'] })
    await waitFor(() => expect(countCalls('GET /api/steps/m1')).toBe(2))
    answers['GET /api/steps/m1'] = makeStepsAnswer([...OWN, ...OFFERED.slice(1)])
    await userEvent.click(screen.getByRole('button', { name: 'Accept “Pull it tight”' }))
    expect(await screen.findByRole('button', { name: /Step 3:.*Pull it tight/ })).toBeVisible()
    late.resolve(makeStepsAnswer(OWN))
    await waitFor(() => expect(queryClient.isFetching({ queryKey: ['steps', 'm1'] })).toBe(0))
    expect(await screen.findByRole('button', { name: /Step 3:.*Pull it tight/ })).toBeVisible()
  })

  test('can be decided on all together, and the keyboard stays near', async () => {
    const { sent } = openPage()
    await panel()
    await userEvent.click(screen.getByRole('button', { name: 'Reject all' }))
    expect(await screen.findByText('Nothing is left to decide.')).toBeVisible()
    expect(await screen.findByText('2 proposals rejected')).toBeInTheDocument()
    expect(sent).toEqual([{ ids: ['r2-1', 'r2-100'], decision: 'reject' }])
    expect(screen.getByRole('heading', { name: /Proposed changes/ })).toHaveFocus()
  })

  test('say truly how many steps were added, and how many replaced', async () => {
    openPage()
    await panel()
    await userEvent.click(screen.getByRole('button', { name: 'Accept “Name of step 1”' }))
    expect(await screen.findByText('1 step replaced')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Accept “Pull it tight”' }))
    expect(await screen.findByText('1 step added')).toBeInTheDocument()
  })

  test('say so of all together, too', async () => {
    openPage()
    await panel()
    await userEvent.click(screen.getByRole('button', { name: 'Accept all' }))
    expect(await screen.findByText('1 step added, 1 step replaced')).toBeInTheDocument()
  })

  test('come back when a decision could not be saved', async () => {
    openPage({}, { [DECIDE]: makeProblem('internal', 'Something went wrong') })
    await panel()
    await userEvent.click(screen.getByRole('button', { name: 'Accept all' }))
    expect(await screen.findByText('The decision could not be saved')).toBeInTheDocument()
    expect(within(await panel()).getAllByRole('listitem')).toHaveLength(2)
  })

  test('proposals of a new run stay decided on when another decision fails meanwhile', async () => {
    const first = Promise.withResolvers<unknown>()
    const { answers } = openPage()
    const decide = answers[DECIDE] as (call: { body: { ids: string[] } }) => unknown
    answers[DECIDE] = (call: { body: { ids: string[] } }) =>
      call.body.ids[0] === 'r2-1' ? first.promise : decide(call)
    await panel()
    answers['GET /api/steps/m1/proposals'] = () => new Promise(() => {})
    await userEvent.click(screen.getByRole('button', { name: 'Accept “Name of step 1”' }))
    await userEvent.click(screen.getByRole('button', { name: 'Reject “Pull it tight”' }))
    expect(await screen.findByText('Proposal rejected')).toBeInTheDocument()
    first.resolve(makeProblem('internal', 'Something went wrong'))
    expect(await screen.findByText('The decision could not be saved')).toBeInTheDocument()
    expect(within(await panel()).getAllByRole('listitem')).toHaveLength(1)
    expect(screen.getByRole('button', { name: 'Accept “Name of step 1”' })).toBeVisible()
  })

  test('can be loaded again when that fails', async () => {
    const proposals = 'GET /api/steps/m1/proposals'
    const { answers } = openPage({}, { [proposals]: makeProblem('not_found', 'Gone') })
    expect(await screen.findByText('Failed to load proposed changes')).toHaveRole('alert')
    answers[proposals] = { success: true, proposals: OFFERED }
    await userEvent.click(screen.getByRole('button', { name: 'Load proposed changes again' }))
    expect(within(await panel()).getAllByRole('listitem')).toHaveLength(2)
  })

  test.each([{ role: 'viewer' }, { status: 'PROCESSING' }] as const)(
    'proposals of a new run are not asked for by %o',
    async (fields) => {
      const { countCalls } = openPage(fields)
      expect(await screen.findByRole('button', { name: /Step 1/ })).toBeVisible()
      expect(countCalls('GET /api/steps/m1/proposals')).toBe(0)
      expect(screen.queryByRole('region', { name: /Proposed changes/ })).toBeNull()
    },
  )
})

describe('making the steps again', () => {
  const REPROCESS = 'POST /api/reprocess/m1'

  async function ask() {
    await userEvent.click(await screen.findByRole('button', { name: 'More for this module' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Reprocess' }))
    return screen.findByRole('dialog', { name: 'Reprocess this video?' })
  }

  test('begins after an explanation', { tags: 'spec-8.12' }, async () => {
    const bodies: unknown[] = []
    const answer = (call: { body: unknown }) => {
      bodies.push(call.body)
      return { success: true, moduleId: 'm1', run: 2 }
    }
    openPage({}, { [REPROCESS]: answer })
    const dialog = await ask()
    expect(within(dialog).getByText(/Steps that you have changed or added stay/)).toBeVisible()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Reprocess' }))
    expect(await screen.findByText('Retry initiated! Check back in a few minutes.')).toBeInTheDocument()
    expect(bodies).toEqual([{ from: 'start' }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('says when it could not begin', { tags: 'spec-8.12' }, async () => {
    openPage({}, { [REPROCESS]: makeProblem('upload_missing', 'The video has not arrived yet.') })
    const dialog = await ask()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Reprocess' }))
    expect(await screen.findByText('Failed to retry module')).toBeInTheDocument()
    expect(screen.getByText('The video has not arrived yet.')).toBeInTheDocument()
  })

  test('says which limit of the day is reached, by the clock of who reads it', async () => {
    const opensAt = new Date(2026, 10, 25, 1, 0)
    const quota = { kind: 'minutes', of: 'user', limit: 300, opensAt: opensAt.toISOString() }
    openPage({}, { [REPROCESS]: makeQuotaProblem(quota) })
    const dialog = await ask()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Reprocess' }))
    const sentence =
      'Your account has reached its limit of 300 minutes of video per day. It opens again on Wednesday at 1:00'
    expect(await screen.findByText((text) => text.startsWith(sentence))).toBeInTheDocument()
  })

  test('is offered to owners only', async () => {
    openPage({ role: 'viewer' })
    expect(await screen.findByRole('button', { name: /Step 1/ })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'More for this module' })).toBeNull()
  })
})
