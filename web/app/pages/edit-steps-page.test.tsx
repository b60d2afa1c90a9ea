import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Module } from '#contract/module.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import { type Answers, makeProblem, makeStep, makeTrainingAnswers, renderPage } from '#web/testing/page-harness.tsx'
import { StepServer } from '#web/testing/step-server.ts'
import { Toaster } from '#web/ui/toast.tsx'
import { EditStepsPage } from './edit-steps-page.tsx'

const NO_LINE = new ApiError({ status: 0, code: 'network', message: 'Adapt cannot be reached.' })

let server: StepServer

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

async function openPage(fields: Partial<Module> = {}, more: Answers = {}) {
  const answers = makeTrainingAnswers(fields, { ...server.answers(fields), ...more })
  const page = (
    <>
      <EditStepsPage />
      <Toaster />
    </>
  )
  const view = renderPage(page, { path: '/edit-steps/:moduleId', url: '/edit-steps/m1', answers })
  await pass(100)
  return { ...view, answers, where: () => view.router.state.location.pathname }
}

async function press(name: string | RegExp, inside: HTMLElement = document.body) {
  fireEvent.click(within(inside).getByRole('button', { name }))
  await pass(50)
}

const editor = () => screen.getByRole('form', { name: /Edit step/ })
const field = (label: string) => within(editor()).getByLabelText(label)
const fill = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
const shown = () =>
  screen
    .queryAllByRole('button', { name: /^Step \d/ })
    .map((button) => /Step \d+: (.*), at/.exec(button.textContent ?? '')?.[1])

async function edit(number: number, label: string, value: string) {
  await press(new RegExp(`^Edit step ${number}:`))
  fill(label, value)
  await press('Done')
}

beforeEach(() => {
  server = new StepServer([makeStep(1, 10), makeStep(2, 40), makeStep(3, 70)])
  FakeSocket.all.length = 0
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.useFakeTimers()
  Element.prototype.scrollIntoView = vi.fn()
})

afterEach(async () => {
  await pass(1_000)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('Save Changes', () => {
  test('sends everything in one save and goes to the dashboard', async () => {
    const { where } = await openPage()
    await edit(2, 'Title', 'Cut the paper')
    await press(/^Move down step 1:/)
    await press(/^Delete step 3:/)
    await pass(5_000)
    expect(server.saves).toHaveLength(0)
    expect(screen.getByText('Unsaved changes')).toBeVisible()
    await press('Save Changes')
    expect(server.saves).toHaveLength(1)
    expect(server.saves[0]).not.toHaveProperty('action')
    expect(server.steps.map((step) => step.title)).toEqual(['Cut the paper', 'Title of step 1'])
    expect(where()).toBe('/dashboard')
  })

  test('goes to the dashboard when there is nothing to save', async () => {
    const { where } = await openPage()
    await press('Save Changes')
    expect(server.saves).toHaveLength(0)
    expect(where()).toBe('/dashboard')
  })

  test('counts what is wrong, puts it beside its field, and leads to the first of it', {
    tags: ['spec-5.8', 'spec-5.10'],
  }, async () => {
    const { where } = await openPage()
    await edit(2, 'Title', 'ab')
    await edit(3, 'Start', '-1:00')
    await press('Save Changes')
    expect(screen.getByRole('button', { name: 'Save Changes (2 errors)' })).toBeVisible()
    expect(editor()).toHaveAccessibleName('Edit step 2')
    expect(field('Title')).toHaveFocus()
    expect(field('Title')).toHaveAccessibleDescription('Title must be at least 3 characters')
    expect(screen.getByText('1 error')).toBeVisible()
    fill('Title', 'Cut')
    await press('Save Changes (1 error)')
    expect(field('Start')).toHaveFocus()
    expect(field('Start')).toHaveAccessibleDescription('Invalid time format (use mm:ss)')
    fill('Start', '01:10')
    expect(field('End')).toHaveAccessibleDescription('')
    fill('End', '01:05')
    expect(field('End')).toHaveAccessibleDescription('End time must be after start time')
    fill('End', '01:30')
    await press('Save Changes')
    expect(where()).toBe('/dashboard')
  })

  test('demands nothing of steps that the trainer has not changed', async () => {
    server.steps = [{ ...makeStep(1, 10), description: '' }, makeStep(2, 40)]
    const { where } = await openPage()
    await edit(2, 'Title', 'Cut the paper')
    await press('Save Changes')
    expect(where()).toBe('/dashboard')
  })

  test('keeps everything on the page when it fails', { tags: 'spec-8.23' }, async () => {
    const { where } = await openPage()
    await edit(2, 'Title', 'Cut the paper')
    server.failure = NO_LINE
    await press('Save Changes')
    expect(screen.getByText('Failed to save')).toBeInTheDocument()
    expect(where()).toBe('/edit-steps/m1')
    expect(screen.getByText('Unsaved')).toBeVisible()
    server.failure = null
    await press('Save Changes')
    expect(server.steps[1]?.title).toBe('Cut the paper')
    expect(where()).toBe('/dashboard')
  })

  test('shows both versions when another person saved meanwhile, and saves the chosen one', async () => {
    const { where } = await openPage()
    await edit(2, 'Title', 'Mine')
    server.saveElsewhere(([first, second, ...rest]) => [first, { ...second, title: 'Theirs' }, ...rest] as never)
    await press('Save Changes')
    const dialog = screen.getByRole('dialog', { name: 'Someone else saved these steps first' })
    expect(within(dialog).getByRole('region', { name: 'Your version' })).toHaveTextContent('Mine')
    expect(within(dialog).getByRole('region', { name: 'Current version' })).toHaveTextContent('Theirs')
    await press('Keep mine')
    expect(server.steps[1]?.title).toBe('Mine')
    expect(where()).toBe('/dashboard')
  })

  test('shows their version when that is taken', async () => {
    const { where } = await openPage()
    await edit(2, 'Title', 'Mine')
    server.saveElsewhere(([first, second, ...rest]) => [first, { ...second, title: 'Theirs' }, ...rest] as never)
    await press('Save Changes')
    await press('Take theirs')
    expect(where()).toBe('/edit-steps/m1')
    expect(shown()).toEqual(['Title of step 1', 'Theirs', 'Title of step 3'])
    expect(screen.queryByText('Unsaved changes')).toBeNull()
  })
})

describe('Add Step', () => {
  test('opens a new step of 30 s where the video is', { tags: 'spec-9.20' }, async () => {
    await openPage()
    fireEvent.click(screen.getByRole('button', { name: 'Let 15 seconds pass' }))
    await press('Add Step')
    expect(editor()).toHaveAccessibleName('Edit step 2')
    expect([field('Start'), field('End')].map((input) => (input as HTMLInputElement).value)).toEqual(['00:15', '00:45'])
    expect(field('Title')).toHaveFocus()
    await press('Save Changes')
    expect(screen.getByRole('button', { name: 'Save Changes (2 errors)' })).toBeVisible()
    fill('Title', 'In between')
    fill('Description', 'What to do in between.')
    await press('Save Changes')
    expect(server.steps[1]).toMatchObject({ title: 'In between', start: 15, end: 45, isManual: true })
  })
})

describe('a step that is added here', () => {
  async function addAt(start: string, end: string) {
    await press('Add Step')
    fill('Title', 'By its time')
    fill('Description', 'What is done at its time.')
    fill('Start', start)
    fill('End', end)
  }

  test('goes to its place in time when its form is done, is marked as missed, and can be moved from there', async () => {
    await openPage()
    await addAt('01:00', '01:05')
    expect(field('This was missed in the video')).toBeChecked()
    await press('Done')
    expect(shown()).toEqual(['Title of step 1', 'Title of step 2', 'By its time', 'Title of step 3'])
    await press(/^Move up step 3:/)
    await press(/^Edit step 2:/)
    fill('End', '01:10')
    await press('Done')
    expect(shown()).toEqual(['Title of step 1', 'By its time', 'Title of step 2', 'Title of step 3'])
    await press('Save Changes')
    expect(server.steps.map((step) => step.title)).toEqual([
      'Title of step 1',
      'By its time',
      'Title of step 2',
      'Title of step 3',
    ])
    expect(server.steps[1]).toMatchObject({ start: 60, end: 70, isManual: true })
  })

  test('goes there also when it is saved with its form open', async () => {
    await openPage()
    await addAt('01:20', '01:30')
    await press('Save Changes')
    expect(server.steps.map((step) => step.title).at(-1)).toBe('By its time')
  })

  test('stays open to be corrected where something is wrong with it', async () => {
    await openPage()
    await addAt('01:20', 'soon')
    await press('Done')
    await press('Save Changes')
    expect(screen.getByRole('button', { name: 'Save Changes (1 error)' })).toBeVisible()
    expect(field('End')).toHaveAccessibleDescription('Invalid time format (use mm:ss)')
    expect(field('Start')).toHaveValue('01:20')
  })
})

describe('Delete All Steps', () => {
  test('asks first, removes all at once, and can be taken back', { tags: 'spec-2.43' }, async () => {
    const { countCalls } = await openPage()
    await press('Delete All Steps')
    const question = screen.getByRole('alertdialog', { name: 'Delete all steps?' })
    await press('Cancel', question)
    expect(countCalls('DELETE /api/steps/m1')).toBe(0)
    await press('Delete All Steps')
    await press('Delete All Steps', screen.getByRole('alertdialog'))
    expect(server.steps).toEqual([])
    expect(screen.getByText('There are no steps yet.')).toBeVisible()
    await press('Undo')
    expect(server.steps).toHaveLength(3)
    expect(shown()).toEqual(['Title of step 1', 'Title of step 2', 'Title of step 3'])
  })

  test('keeps all when it fails', { tags: 'spec-8.24' }, async () => {
    await openPage()
    server.failure = NO_LINE
    await press('Delete All Steps')
    await press('Delete All Steps', screen.getByRole('alertdialog'))
    expect(screen.getByText('Failed to delete step file')).toBeInTheDocument()
    expect(shown()).toHaveLength(3)
  })
})

describe('unsaved changes', () => {
  test('keep a person on the page until they agree to leave', async () => {
    const { where, router } = await openPage()
    await edit(2, 'Title', 'Cut the paper')
    fireEvent.click(screen.getByRole('link', { name: 'Back to training' }))
    await pass(50)
    expect(where()).toBe('/edit-steps/m1')
    await press('Stay', screen.getByRole('alertdialog', { name: 'Leave without saving?' }))
    await act(() => router.navigate('/training/m1'))
    await pass(50)
    await press('Leave', screen.getByRole('alertdialog'))
    expect(where()).toBe('/training/m1')
  })

  test('warn before the tab is closed, and only then', async () => {
    await openPage()
    const close = () => fireEvent(window, new Event('beforeunload', { cancelable: true }))
    expect(close()).toBe(true)
    await edit(2, 'Title', 'Cut the paper')
    expect(close()).toBe(false)
  })

  test('unsaved changes are taken back by Undo', async () => {
    await openPage()
    await press(/^Delete step 2:/)
    expect(shown()).toEqual(['Title of step 1', 'Title of step 3'])
    await press('Undo')
    expect(shown()).toEqual(['Title of step 1', 'Title of step 2', 'Title of step 3'])
  })
})

describe('states', () => {
  test('a viewer sees that only the owner can edit', async () => {
    const { countCalls } = await openPage({ role: 'viewer' })
    expect(screen.getByRole('heading', { name: 'Only its owner can edit these steps' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Back to the training' })).toHaveAttribute('href', '/training/m1')
    expect(countCalls('GET /api/steps/m1')).toBe(0)
  })

  test('a module that is not there is not found', async () => {
    await openPage({}, { 'GET /api/modules/m1': makeProblem('not_found', 'Not found') })
    expect(screen.getByRole('heading', { name: 'Module Not Found' })).toBeVisible()
  })

  test('an empty list can be begun, and steps that come meanwhile stay', async () => {
    server.steps = []
    await openPage()
    expect(screen.getByText('There are no steps yet.')).toBeVisible()
    await press('Add Step')
    fill('Title', 'The very first')
    fill('Description', 'What to do first of all.')
    await press('Save Changes')
    expect(server.saves).toMatchObject([{ version: 1 }])
    expect(server.steps.map((step) => step.title)).toEqual(['The very first'])
  })

  test('steps that could not be loaded are asked for again on request', async () => {
    const { answers } = await openPage({}, { 'GET /api/steps/m1': makeProblem('rate_limited', 'Too many requests') })
    await pass(12_000)
    expect(screen.getByText('Failed to load steps after multiple attempts')).toBeVisible()
    answers['GET /api/steps/m1'] = server.answers()['GET /api/steps/m1']
    await press('Retry Loading Steps')
    expect(shown()).toHaveLength(3)
  })
})
