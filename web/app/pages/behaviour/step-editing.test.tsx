// Behaviour: editing steps on their page: drafts, times, saving, conflicts.
import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Module } from '#contract/module.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import { type Answers, makeProblem, makeStep, makeTrainingAnswers, renderPage } from '#web/testing/page-harness.tsx'
import { StepServer } from '#web/testing/step-server.ts'
import { Toaster } from '#web/ui/toast.tsx'
import { TrainingPage } from '../training-page.tsx'

const FIRST = makeStep(1, 10)
const SECOND = makeStep(2, 40)
const THIRD = makeStep(3, 70)
const NO_LINE = new ApiError({ status: 0, code: 'network', message: 'Adapt cannot be reached.' })

let server: StepServer
let seq: number

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

async function openPage(fields: Partial<Module> = {}, more: Answers = {}) {
  const answers = makeTrainingAnswers(fields, { ...server.answers(fields), ...more })
  const page = (
    <>
      <TrainingPage />
      <Toaster />
    </>
  )
  const view = renderPage(page, { path: '/training/:moduleId', url: '/training/m1', answers })
  await pass(100)
  FakeSocket.all[0]?.open()
  return { ...view, answers }
}

/** Sends the page an event with the server's current version, and lets it load that. */
async function sendEvent(fields: object = {}) {
  await act(async () => {
    const event = { kind: 'module', status: 'READY', message: '', progress: 100, segmentCount: 0 }
    FakeSocket.all[0]?.receive({ seq: ++seq, ...event, stepsVersion: server.version, ...fields })
    await vi.advanceTimersByTimeAsync(1_200)
  })
}

async function press(name: string | RegExp, within_: HTMLElement = document.body) {
  fireEvent.click(within(within_).getByRole('button', { name }))
  await pass(50)
}

const editor = () => screen.getByRole('form', { name: /Edit step/ })
const field = (label: string) => within(editor()).getByLabelText(label)
const openEditor = (number: number) => press(new RegExp(`^Edit step ${number}:`))

async function type(label: string, text: string) {
  fireEvent.change(field(label), { target: { value: text } })
  await pass(0)
}

const shown = () =>
  within(screen.getByRole('region', { name: 'Steps' }))
    .getAllByRole('button', { name: /^Step \d/ })
    .map((button) => /Step \d+: (.*), at/.exec(button.textContent ?? '')?.[1])

beforeEach(() => {
  seq = 0
  server = new StepServer([FIRST, SECOND, THIRD])
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

describe('a draft that is valid', () => {
  test('is saved a second after the last key, which is said for two seconds', {
    tags: ['spec-4.18', 'spec-9.21'],
  }, async () => {
    await openPage()
    await openEditor(2)
    await type('Title', 'Cut the pap')
    await pass(900)
    await type('Title', 'Cut the paper')
    await pass(900)
    expect(server.saves).toHaveLength(0)
    await pass(150)
    expect(server.saves).toMatchObject([{ action: 'update', stepIndex: 1, version: 1 }])
    expect(server.steps[1]?.title).toBe('Cut the paper')
    expect(within(editor()).getByText('Saved')).toBeVisible()
    await pass(1_800)
    expect(within(editor()).getByText('Saved')).toBeVisible()
    await pass(200)
    expect(within(editor()).queryByText('Saved')).toBeNull()
    expect(field('Title')).toHaveValue('Cut the paper')
  })

  test('sends every field, and the next save carries the version of the last answer', async () => {
    await openPage()
    await openEditor(1)
    await type('Start', '00:12')
    await type('End', '1:00')
    await type('Aliases', 'lid, cover')
    expect(screen.getByText('Learners do not see them · 0 of 300')).toBeVisible()
    await type('Teaching notes', 'Mind the blade.')
    fireEvent.click(field("Learners' tutor may quote this"))
    expect(screen.getByText('15 of 300')).toBeVisible()
    fireEvent.click(field('This was missed in the video'))
    await pass(1_100)
    expect(server.steps[0]).toMatchObject({ start: 12, end: 60, aliases: ['lid', 'cover'], isManual: true })
    expect(server.steps[0]).toMatchObject({ notes: 'Mind the blade.', notesQuotable: true })
    await type('Description', 'Another text that is long enough.')
    await pass(1_100)
    expect(server.saves.map((save) => save.version)).toEqual([1, 2])
  })

  test('is saved at once by Save, which closes the editor and gives the focus back', async () => {
    await openPage()
    await openEditor(1)
    expect(field('Title')).toHaveFocus()
    await type('Title', 'Open the lid')
    await press('Save', editor())
    expect(server.steps[0]?.title).toBe('Open the lid')
    expect(screen.queryByRole('form', { name: /Edit step/ })).toBeNull()
    expect(screen.getByRole('button', { name: /^Edit step 1:/ })).toHaveFocus()
  })

  test('is not lost when the editor is closed within the second', async () => {
    await openPage()
    await openEditor(1)
    await type('Title', 'Open the lid')
    fireEvent.keyDown(field('Title'), { key: 'Escape' })
    await pass(50)
    expect(server.steps[0]?.title).toBe('Open the lid')
    expect(shown()[0]).toBe('Open the lid')
    expect(screen.queryByText('Unsaved')).toBeNull()
  })

  test('stays when the server cannot be reached, says so, and is sent again', {
    tags: ['spec-4.18', 'spec-8.19'],
  }, async () => {
    await openPage()
    await openEditor(1)
    server.failure = NO_LINE
    await type('Title', 'Open the lid')
    await pass(1_100)
    expect(screen.getByText('Failed to save step. Please try again.')).toBeInTheDocument()
    expect(within(editor()).getByText('Not saved')).toBeVisible()
    expect(field('Title')).toHaveValue('Open the lid')
    server.failure = null
    fireEvent(window, new Event('online'))
    await pass(100)
    expect(server.steps[0]?.title).toBe('Open the lid')
  })
})

describe('a draft that breaks a rule', () => {
  test('stays local, marked unsaved, with the message beside its field', async () => {
    await openPage()
    await openEditor(1)
    await type('Title', 'ab')
    await pass(1_100)
    expect(server.saves).toHaveLength(0)
    expect(within(editor()).getByText('Unsaved (1 error)')).toBeVisible()
    expect(field('Title')).toHaveAccessibleDescription('Title must be at least 3 characters')
    await press('Close the editor')
    expect(screen.getByText('Unsaved')).toBeVisible()
    expect(shown()[0]).toBe('ab')
    await openEditor(1)
    expect(field('Title')).toHaveValue('ab')
    await type('Title', 'abc')
    await pass(1_100)
    expect(server.steps[0]?.title).toBe('abc')
  })

  test('is counted on the button by Save, which leads to the first field that is wrong', {
    tags: 'spec-5.8',
  }, async () => {
    await openPage()
    await openEditor(1)
    await type('Description', 'short')
    await type('End', 'soon')
    expect(field('Description')).not.toHaveAttribute('aria-invalid')
    await press('Save', editor())
    expect(within(editor()).getByRole('button', { name: 'Save (2 errors)' })).toBeVisible()
    expect(field('Description')).toHaveFocus()
    expect(field('End')).toHaveAccessibleDescription('Invalid time format (use mm:ss)')
    expect(server.saves).toHaveLength(0)
  })

  test.each([
    ['-0:05', '00:30', 'Start', 'Start time cannot be negative'],
    ['00:30', '00:20', 'End', 'End time must be after start time'],
    ['00:30', '00:34', 'End', 'Step must be at least 5 seconds long'],
    ['00:00', '05:00', 'End', 'Step must be under 5 minutes long'],
  ])('a draft that breaks a rule from %s to %s shows at %s what is wrong', async (start, end, label, message) => {
    await openPage()
    await openEditor(1)
    await type('Start', start)
    await type('End', end)
    await press('Save', editor())
    expect(field(label)).toHaveAccessibleDescription(message)
  })

  test('keeps a person on the page until they agree to leave', async () => {
    const { router } = await openPage()
    await openEditor(1)
    await type('Title', '')
    await act(() => router.navigate('/dashboard'))
    await pass(50)
    const question = screen.getByRole('alertdialog', { name: 'Leave without saving?' })
    await press('Stay', question)
    expect(router.state.location.pathname).toBe('/training/m1')
    await act(() => router.navigate('/dashboard'))
    await pass(50)
    await press('Leave', screen.getByRole('alertdialog'))
    expect(router.state.location.pathname).toBe('/dashboard')
  })

  test('is thrown away on request', async () => {
    await openPage()
    await openEditor(1)
    await type('Title', '')
    await press('Save', editor())
    await press('Discard changes', editor())
    expect(screen.queryByText('Unsaved')).toBeNull()
    await openEditor(1)
    expect(field('Title')).toHaveValue('Title of step 1')
  })
})

test('leaving the page with a valid draft saves it and asks nothing', async () => {
  const { router } = await openPage()
  await openEditor(1)
  await type('Title', 'Open the lid')
  await act(() => router.navigate('/dashboard'))
  await pass(50)
  expect(router.state.location.pathname).toBe('/dashboard')
  expect(server.steps[0]?.title).toBe('Open the lid')
})

describe('times', () => {
  test('times are taken from the video, and moved by a second', async () => {
    await openPage()
    await openEditor(1)
    fireEvent.click(screen.getByRole('button', { name: 'Let 15 seconds pass' }))
    await press('Use current time as start', editor())
    expect(field('Start')).toHaveValue('00:15')
    await press('Move start one second earlier', editor())
    await press('Move end one second later', editor())
    expect([field('Start'), field('End')].map((input) => (input as HTMLInputElement).value)).toEqual(['00:14', '00:21'])
    await press('Preview this range')
    expect(screen.getByLabelText('Video position')).toHaveTextContent('14')
  })
})

describe('an update that arrives during typing', () => {
  test('does not overwrite it, and is no conflict when it comes from the pipeline', async () => {
    await openPage({ status: 'PROCESSING' })
    await openEditor(1)
    await type('Title', 'ab')
    field('Title').focus()
    server.moveOn((steps) => [{ ...FIRST, title: 'By the pipeline' }, ...steps.slice(1), makeStep(4, 100)])
    await sendEvent({ status: 'PROCESSING', progress: 70 })
    expect(shown()).toContain('Title of step 4')
    expect(field('Title')).toHaveValue('ab')
    expect(field('Title')).toHaveFocus()
    await type('Title', 'By hand')
    await pass(1_100)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(server.steps.map((step) => step.title)).toEqual([
      'By hand',
      'Title of step 2',
      'Title of step 3',
      'Title of step 4',
    ])
  })

  test('appears in the fields that have not been edited', async () => {
    await openPage({ status: 'PROCESSING' })
    await openEditor(1)
    await type('Title', 'By hand')
    const better = {
      ...FIRST,
      title: 'By the pipeline',
      description: 'What the pipeline has understood by now.',
      end: 25,
    }
    server.moveOn((steps) => [better, ...steps.slice(1)])
    await sendEvent({ status: 'PROCESSING', progress: 70 })
    expect(field('Title')).toHaveValue('By hand')
    expect(field('Description')).toHaveValue('What the pipeline has understood by now.')
    await pass(1_100)
    expect(server.steps[0]).toMatchObject({ ...better, title: 'By hand', duration: 15 })
  })

  test('does not take the form away when the pipeline takes back its step', async () => {
    await openPage({ status: 'PROCESSING' })
    await openEditor(2)
    await type('Title', 'By hand')
    server.moveOn((steps) => steps.filter((step) => step.id !== 's2'))
    await sendEvent({ status: 'PROCESSING' })
    expect(field('Title')).toHaveValue('By hand')
    await pass(1_100)
    expect(server.steps.map((step) => step.title)).toEqual(['Title of step 1', 'By hand', 'Title of step 3'])
  })
})

describe('another person who saves the same step', () => {
  const versions = () => {
    const dialog = screen.getByRole('dialog', { name: 'Someone else saved these steps first' })
    const version = (name: string) => within(dialog).getByRole('region', { name }).textContent
    return [version('Your version'), version('Current version')]
  }

  async function collide() {
    await openPage()
    await openEditor(1)
    await type('Title', 'My title')
    server.saveElsewhere(([first, ...rest]) => [{ ...(first ?? FIRST), title: 'Their title' }, ...rest])
  }

  test('is shown beside the own version, which can be kept', async () => {
    await collide()
    await pass(1_100)
    expect(versions()).toEqual([expect.stringContaining('My title'), expect.stringContaining('Their title')])
    await press('Keep mine')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(server.steps[0]?.title).toBe('My title')
  })

  test('wins when their version is taken, and the form shows it', async () => {
    await collide()
    await pass(1_100)
    await press('Take theirs')
    expect(server.steps[0]?.title).toBe('Their title')
    expect(field('Title')).toHaveValue('Their title')
  })

  test('is also noticed when the page had received its event before', async () => {
    await openPage()
    await openEditor(1)
    await type('Title', 'ab')
    server.saveElsewhere(([first, ...rest]) => [{ ...(first ?? FIRST), title: 'Their title' }, ...rest])
    await sendEvent()
    await type('Title', 'My title')
    await pass(1_100)
    expect(versions()).toEqual([expect.stringContaining('My title'), expect.stringContaining('Their title')])
    expect(server.steps[0]?.title).toBe('Their title')
  })

  test('is no conflict in another step', async () => {
    await openPage()
    await openEditor(1)
    await type('Title', 'My title')
    server.saveElsewhere(([first, second, ...rest]) => [
      first ?? FIRST,
      { ...(second ?? SECOND), title: 'Theirs' },
      ...rest,
    ])
    await sendEvent()
    await pass(1_100)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(server.steps.map((step) => step.title)).toEqual(['My title', 'Theirs', 'Title of step 3'])
  })
})

describe('the list', () => {
  test('loses a step at once, and Undo brings it back whole', async () => {
    server.steps = [FIRST, { ...SECOND, notes: 'Slowly.', originalText: 'What was said.' }, THIRD]
    await openPage()
    await openEditor(2)
    await press('Delete', editor())
    expect(shown()).toEqual(['Title of step 1', 'Title of step 3'])
    expect(screen.getByRole('button', { name: /^Edit step 2: Title of step 3/ })).toHaveFocus()
    expect(server.saves.at(-1)).toMatchObject({ action: 'delete', stepIndex: 1 })
    await press('Undo')
    await pass(50)
    expect(server.steps).toMatchObject([FIRST, { ...SECOND, notes: 'Slowly.', originalText: 'What was said.' }, THIRD])
  })

  test('the list that has lost its last step is empty, and no failure, also once it is read again', {
    tags: 'spec-2.27',
  }, async () => {
    server.steps = [FIRST]
    const { countCalls } = await openPage()
    await openEditor(1)
    await press('Delete', editor())
    const reads = countCalls('GET /api/steps/m1')
    await sendEvent()
    await press('Retry Loading Steps')
    expect(countCalls('GET /api/steps/m1')).toBeGreaterThan(reads)
    const steps = screen.getByRole('region', { name: 'Steps' })
    expect(within(steps).getByRole('alert')).toHaveTextContent('No steps found in this training yet.')
    expect(screen.getByRole('form', { name: 'Need to add a missing step?' })).toBeVisible()
  })

  test('keeps a step that could not be deleted, and says so', { tags: 'spec-8.20' }, async () => {
    await openPage()
    server.failure = NO_LINE
    await openEditor(2)
    await press('Delete', editor())
    await pass(50)
    expect(screen.getByText('Failed to delete step. Please try again.')).toBeInTheDocument()
    expect(shown()).toEqual(['Title of step 1', 'Title of step 2', 'Title of step 3'])
  })

  test('moves a step by its buttons, keeps the focus, and says where it is', async () => {
    await openPage()
    await openEditor(1)
    await press('Move down', editor())
    expect(server.steps.map((step) => step.id)).toEqual(['s2', 's1', 's3'])
    expect(server.saves.at(-1)).toMatchObject({ action: 'reorder' })
    expect(screen.getByText('Moved to position 2 of 3.')).toBeInTheDocument()
    expect(within(editor()).getByRole('button', { name: 'Move down' })).toHaveFocus()
  })

  test('shows a move before it is saved, and takes it back when it fails', { tags: 'spec-4.20' }, async () => {
    let fail = (_error: Error) => {}
    const failing = new Promise((_resolve, reject) => {
      fail = reject
    })
    await openPage({}, { 'POST /api/steps/m1': () => failing })
    await openEditor(1)
    await press('Move down', editor())
    expect(shown()).toEqual(['Title of step 2', 'Title of step 3'])
    expect(screen.getByRole('form', { name: 'Edit step 2' })).toBeVisible()
    fail(NO_LINE)
    await pass(50)
    expect(screen.getByRole('form', { name: 'Edit step 1' })).toBeVisible()
    expect(screen.getByText('Failed to save step. Please try again.')).toBeInTheDocument()
  })

  test('splits a step at the playhead and opens the second half', async () => {
    await openPage()
    server.steps = [{ ...FIRST, start: 10, end: 30 }, SECOND, THIRD]
    await sendEvent({ stepsVersion: ++server.version })
    fireEvent.click(screen.getByRole('button', { name: 'Let 15 seconds pass' }))
    await openEditor(1)
    await press('Split at playhead (00:15)', editor())
    expect(server.steps.slice(0, 2)).toMatchObject([
      { id: 's1', start: 10, end: 15 },
      { title: 'Title of step 1 (part 2)', start: 15, end: 30 },
    ])
    expect(screen.getByRole('form', { name: 'Edit step 2' })).toBeVisible()
    expect(field('Title')).toHaveFocus()
  })

  test('stays whole when the split could not be saved', async () => {
    server.steps = [{ ...FIRST, start: 10, end: 30 }, SECOND, THIRD]
    await openPage()
    fireEvent.click(screen.getByRole('button', { name: 'Let 15 seconds pass' }))
    await openEditor(1)
    server.failure = NO_LINE
    await press('Split at playhead (00:15)', editor())
    await pass(50)
    expect(screen.getByText('Failed to save step. Please try again.')).toBeInTheDocument()
    expect(shown()).toEqual(['Title of step 1', 'Title of step 2', 'Title of step 3'])
  })

  test('says why a step cannot be split where the video is', async () => {
    await openPage()
    await openEditor(2)
    await press(/Split at playhead/, editor())
    expect(screen.getByText(/The video is not inside this step/)).toBeInTheDocument()
    expect(server.saves).toHaveLength(0)
  })

  test('merges a step with the next, and takes that back', async () => {
    await openPage()
    await openEditor(1)
    await press('Merge with next', editor())
    expect(server.steps).toMatchObject([{ id: 's1', start: 10, end: 50 }, { id: 's3' }])
    await press('Undo')
    expect(server.steps).toMatchObject([FIRST, SECOND, THIRD])
  })
})

describe('the headings of chapters', () => {
  const chapters = () => server.steps.map(({ chapter }) => chapter)
  const headings = () => screen.queryAllByRole('heading', { level: 3, name: /chapter/ }).map((one) => one.textContent)
  const nameIt = async (title: string) => {
    const input = screen.getByRole('textbox', { name: 'Chapter title' })
    expect(input).toHaveFocus()
    fireEvent.change(input, { target: { value: title } })
    await press('Save', input.closest('form') as HTMLElement)
  }
  beforeEach(() => {
    server.steps = [
      { ...FIRST, chapter: 'A chapter' },
      { ...SECOND, chapter: 'A chapter' },
      { ...THIRD, chapter: 'Another chapter' },
    ]
  })

  test('stand once over the steps of a chapter', async () => {
    await openPage()
    expect(headings()).toEqual(['A chapter', 'Another chapter'])
    expect(shown()).toHaveLength(3)
  })

  test('the headings of chapters are renamed where they stand, for all steps under them', async () => {
    await openPage()
    await press('Rename chapter: A chapter')
    await nameIt('  The first chapter ')
    expect(chapters()).toEqual(['The first chapter', 'The first chapter', 'Another chapter'])
    expect(server.saves.at(-1)).not.toHaveProperty('stepIndex')
    expect(headings()).toEqual(['The first chapter', 'Another chapter'])
    expect(screen.getByRole('button', { name: 'Rename chapter: The first chapter' })).toHaveFocus()
  })

  test('keep their new title while its save is answered, and after', async () => {
    await openPage()
    await press('Rename chapter: A chapter')
    fireEvent.change(screen.getByRole('textbox', { name: 'Chapter title' }), { target: { value: 'The first chapter' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    const titles = new Set<string | null | undefined>()
    // By tasks of promises only: what waits for a timer does not happen in between.
    for (let turn = 0; turn < 30; turn++) {
      await act(() => Promise.resolve())
      titles.add(headings()[0])
    }
    expect(server.saves).toHaveLength(1)
    expect([...titles]).toEqual(['The first chapter'])
  })

  test.each([
    ['Another chapter', 'A chapter', /^Edit step 3:/],
    ['A chapter', 'Another chapter', 'Rename chapter: Another chapter'],
  ])('merge where %s is renamed to %s, which can be taken back', async (from, to, focused) => {
    await openPage()
    await press(`Rename chapter: ${from}`)
    await nameIt(to)
    expect(chapters()).toEqual([to, to, to])
    expect(headings()).toEqual([to])
    expect(screen.getByText('Chapters merged')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: focused })).toHaveFocus()
    await press('Undo')
    expect(chapters()).toEqual(['A chapter', 'A chapter', 'Another chapter'])
  })

  test('the headings of chapters are left as they were by Escape', async () => {
    await openPage()
    await press('Rename chapter: A chapter')
    fireEvent.keyDown(screen.getByRole('textbox', { name: 'Chapter title' }), { key: 'Escape' })
    await pass(50)
    expect(headings()).toEqual(['A chapter', 'Another chapter'])
    expect(server.saves).toHaveLength(0)
    expect(screen.getByRole('button', { name: 'Rename chapter: A chapter' })).toHaveFocus()
  })

  test('the headings of chapters are removed from over their steps, and come back', async () => {
    await openPage()
    await press('Remove heading: Another chapter')
    expect(chapters()).toEqual(['A chapter', 'A chapter', 'A chapter'])
    expect(screen.getByRole('button', { name: /^Edit step 3:/ })).toHaveFocus()
    await press('Undo')
    expect(chapters()).toEqual(['A chapter', 'A chapter', 'Another chapter'])
    await press('Remove heading: A chapter')
    expect(chapters()).toEqual([null, null, 'Another chapter'])
  })

  test('begin with any step, while its unsaved words stay', async () => {
    await openPage()
    await openEditor(2)
    await type('Title', 'My own words')
    await press('Begin a chapter', editor())
    await nameIt('A new chapter')
    await pass(1_100)
    expect(chapters()).toEqual(['A chapter', 'A new chapter', 'Another chapter'])
    expect(server.steps[1]?.title).toBe('My own words')
    expect(within(editor()).queryByRole('button', { name: 'Begin a chapter' })).toBeNull()
  })

  test('the headings of chapters are not changed where that could not be saved', async () => {
    await openPage()
    server.failure = NO_LINE
    await press('Remove heading: Another chapter')
    await pass(50)
    expect(headings()).toEqual(['A chapter', 'Another chapter'])
    expect(screen.getByText('Failed to save')).toBeInTheDocument()
  })
})

test('a step shows what is said in it', async () => {
  server.steps = [FIRST, { ...SECOND, originalText: 'So now you press the red button.' }, THIRD]
  await openPage()
  await openEditor(2)
  const said = within(editor()).getByText('So now you press the red button.')
  expect(said).not.toBeVisible()
  fireEvent.click(within(editor()).getByText('What is said in this step'))
  expect(said.closest('details')).toHaveAttribute('open')
  await openEditor(1)
  expect(within(editor()).queryByText('What is said in this step')).toBeNull()
})

describe('callouts', () => {
  const PROPOSED = { kind: 'warning', text: 'The blade is sharp.', quote: 'Careful, the blade is sharp.' } as const
  const calloutsOf = () => server.steps[1]?.callouts

  test('callouts are added, changed and deleted, and one without a text is not saved', async () => {
    await openPage()
    await openEditor(2)
    await press('Add callout')
    await pass(1_100)
    expect(server.saves).toHaveLength(0)
    await type('Kind of callout 1', 'tool')
    await type('Text of callout 1', ' A wrench ')
    await pass(1_100)
    expect(calloutsOf()).toEqual([{ kind: 'tool', text: 'A wrench' }])
    await press('Delete callout 1')
    await pass(1_100)
    expect(calloutsOf()).toEqual([])
  })

  test('callouts are proposed with the words of the video, and used or left out with one press', async () => {
    const other = { ...PROPOSED, text: 'Press lightly.', quote: 'Press lightly.' }
    server.steps = [FIRST, { ...SECOND, proposedCallouts: [PROPOSED, other] }, THIRD]
    await openPage()
    expect(screen.queryByText('The blade is sharp.')).toBeNull()
    await openEditor(2)
    expect(within(editor()).getByText('“Careful, the blade is sharp.”')).toBeVisible()
    await press('Leave out callout: Press lightly.')
    await press('Use callout: The blade is sharp.')
    await pass(1_100)
    expect(server.steps[1]).toMatchObject({
      callouts: [{ kind: 'warning', text: 'The blade is sharp.' }],
      proposedCallouts: [],
    })
    expect(within(editor()).queryByRole('list', { name: 'Proposed callouts' })).toBeNull()
  })
})

test('commands are added at the moment of the video, corrected and deleted, and a blank one is not saved', async () => {
  server.steps = [FIRST, { ...SECOND, commands: [{ kind: 'command', text: 'man -k dir', startMs: 42_000 }] }, THIRD]
  await openPage()
  await vi.waitFor(() => expect(screen.getByText('man -k dir')).toBeVisible())
  await openEditor(2)
  await press('Add command')
  await type('Text of command 1', 'man -k directory ')
  await pass(1_100)
  const corrected = { kind: 'command', text: 'man -k directory', startMs: 42_000 }
  expect(server.steps[1]?.commands).toEqual([corrected])
  await type('Kind of command 2', 'code')
  await type('Text of command 2', '  return 1')
  await pass(1_100)
  expect(server.steps[1]?.commands).toEqual([corrected, { kind: 'code', text: '  return 1', startMs: 40_000 }])
  await press('Delete command 1')
  await pass(1_100)
  expect(server.steps[1]?.commands).toMatchObject([{ text: '  return 1' }])
})

describe('AI rewrite', () => {
  const path = 'POST /api/steps/m1/rewrite'

  test('shows both texts before anything changes, and keeps the new one on request', async () => {
    const rewrite = vi.fn((_call: unknown) => ({ success: true, text: 'Do this in the second step.' }))
    await openPage({}, { [path]: rewrite })
    await openEditor(2)
    await press('AI rewrite')
    expect(rewrite.mock.calls[0]?.[0]).toMatchObject({ body: { text: 'What to do in step 2' } })
    expect(within(editor()).getByText('Do this in the second step.')).toBeVisible()
    expect(field('Description')).toHaveValue('What to do in step 2')
    await press('Keep', editor())
    expect(field('Description')).toHaveValue('Do this in the second step.')
    await pass(1_100)
    expect(server.steps[1]).toMatchObject({
      description: 'Do this in the second step.',
      aiRewrite: 'Do this in the second step.',
      beforeRewrite: 'What to do in step 2',
    })
  })

  test('leaves the text before it one press away, also after a second one', async () => {
    const texts = ['Do this in the second step.', 'Do this in it.']
    await openPage({}, { [path]: () => ({ success: true, text: texts.shift() }) })
    await openEditor(2)
    for (const _rewrite of [1, 2]) {
      await press('AI rewrite')
      await press('Keep', editor())
    }
    await pass(1_100)
    const before = 'What to do in step 2'
    expect(server.steps[1]).toMatchObject({ description: 'Do this in it.', beforeRewrite: before })
    expect(within(editor()).getByText(before)).toBeVisible()
    await press('Use this text again', editor())
    expect(field('Description')).toHaveValue(before)
    expect(field('Description')).toHaveFocus()
    expect(within(editor()).queryByText('Before the AI rewrite')).toBeNull()
    await pass(1_100)
    expect(server.steps[1]).toMatchObject({ description: before, aiRewrite: null, beforeRewrite: null })
  })

  test('can be discarded', async () => {
    await openPage({}, { [path]: { success: true, text: 'Do this in the second step.' } })
    await openEditor(2)
    await press('AI rewrite')
    await press('Discard', editor())
    expect(within(editor()).queryByText('Do this in the second step.')).toBeNull()
    expect(field('Description')).toHaveValue('What to do in step 2')
  })

  test('says why it failed', { tags: 'spec-8.21' }, async () => {
    await openPage({}, { [path]: makeProblem('rate_limited', 'Too many requests') })
    await openEditor(2)
    await press('AI rewrite')
    expect(screen.getByText('AI rewrite failed: Too many requests')).toBeInTheDocument()
  })

  test('needs three characters', { tags: 'spec-5.12' }, async () => {
    await openPage()
    await openEditor(2)
    await type('Description', 'ab')
    expect(within(editor()).getByRole('button', { name: 'AI rewrite' })).toBeDisabled()
    await type('Description', 'abc')
    expect(within(editor()).getByRole('button', { name: 'AI rewrite' })).toBeEnabled()
  })
})

describe('the form for a missing step', () => {
  const form = () => screen.getByRole('form', { name: 'Need to add a missing step?' })
  const added = (label: string) => within(form()).getByLabelText(label)
  const fill = (label: string, value: string) => fireEvent.change(added(label), { target: { value } })

  test('proposes the position of the video as start and 30 s later as end, until a field is edited', {
    tags: 'spec-5.9',
  }, async () => {
    await openPage()
    fireEvent.click(screen.getByRole('button', { name: 'Let 15 seconds pass' }))
    expect([added('Start'), added('End')].map((input) => (input as HTMLInputElement).value)).toEqual(['00:15', '00:45'])
    fill('Title', 'In between')
    fireEvent.click(screen.getByRole('button', { name: 'Let 15 seconds pass' }))
    expect(added('Start')).toHaveValue('00:15')
    fill('Aliases', 'one, two')
    expect(added('This was missed in the video')).toBeChecked()
    await press('Add step')
    expect(server.steps.map((step) => step.title)).toEqual([
      'Title of step 1',
      'In between',
      'Title of step 2',
      'Title of step 3',
    ])
    expect(server.steps[1]).toMatchObject({ start: 15, end: 45, aliases: ['one', 'two'], isManual: true })
    expect(server.saves.at(-1)).toMatchObject({ action: 'add', stepIndex: 1 })
    expect(added('Title')).toHaveValue('')
    expect(added('Start')).toHaveValue('00:30')
  })

  test('wants a title and an end that is not before the start, and nothing more', { tags: 'spec-5.9' }, async () => {
    await openPage()
    fill('Title', '  ')
    fill('Start', '00:20')
    fill('End', '00:19')
    await press('Add step')
    expect(added('Title')).toHaveAccessibleDescription('Title is required')
    expect(added('Title')).toHaveFocus()
    expect(added('End')).toHaveAccessibleDescription('End time must be after start time')
    fill('Title', 'A')
    fill('End', '00:20')
    await press('Add step')
    expect(server.saves).toHaveLength(1)
  })

  test('counts title and description, and refuses what is too long instead of cutting it', async () => {
    await openPage()
    const long = 'x'.repeat(120)
    fill('Title', long)
    expect(added('Title')).toHaveValue(long)
    expect(added('Title')).toHaveAccessibleDescription('Title must be under 100 characters')
    expect(within(form()).getByText('120 of 99')).toBeVisible()
    expect(within(form()).getByText('Optional here, 0 of 499')).toBeVisible()
    await press('Add step')
    expect(server.saves).toHaveLength(0)
  })

  test('puts a step where its typed time belongs', async () => {
    await openPage()
    fill('Title', 'By its time')
    fill('Start', '01:00')
    fill('End', '01:05')
    await press('Add step')
    expect(server.saves.at(-1)).toMatchObject({ action: 'add', stepIndex: 2 })
  })

  test('keeps what was typed when it could not be added', { tags: 'spec-8.18' }, async () => {
    await openPage()
    server.failure = NO_LINE
    fill('Title', 'In between')
    await press('Add step')
    expect(screen.getByText('Failed to add step. Please try again.')).toBeInTheDocument()
    expect(added('Title')).toHaveValue('In between')
    expect(shown()).toHaveLength(3)
  })

  test('has no current time to offer while the video is on its way', async () => {
    await openPage({ status: 'PROCESSING', hasVideo: false, uploadPercent: 40 })
    expect(within(form()).getByRole('button', { name: 'Use current time as start' })).toBeDisabled()
    fill('Title', 'In between')
    await press('Add step')
    expect(server.saves).toHaveLength(1)
  })

  test('works while the module is processing and has no steps yet', async () => {
    server.steps = []
    server.version = 0
    await openPage({ status: 'PROCESSING', stepsVersion: 0 })
    fill('Title', 'The very first')
    await press('Add step')
    expect(server.saves).toMatchObject([{ version: 0, action: 'add' }])
    expect(shown()).toEqual(['The very first'])
  })

  test('turns a module without narration into a training', async () => {
    server.steps = []
    const failed = { status: 'FAILED', failureCode: 'no_narration', lastError: 'The video has no narration.' } as const
    const { answers } = await openPage(failed)
    expect(screen.getByRole('heading', { name: 'Processing Failed' })).toBeVisible()
    fireEvent.click(screen.getByRole('button', { name: 'Let 15 seconds pass' }))
    expect(added('Start')).toHaveValue('00:15')
    expect(within(form()).getByRole('button', { name: 'Use current time as end' })).toBeEnabled()
    fill('Title', 'The very first')
    answers['GET /api/modules/m1'] = server.answers({ status: 'READY' })['GET /api/modules/m1']
    await press('Add step')
    await pass(200)
    expect(screen.queryByRole('heading', { name: 'Processing Failed' })).toBeNull()
    expect(shown()).toEqual(['The very first'])
  })
})

test('a person who only views has nothing to edit', async () => {
  await openPage({ role: 'viewer' })
  expect(shown()).toHaveLength(3)
  expect(screen.queryByRole('button', { name: /^Edit/ })).toBeNull()
  expect(screen.queryByRole('button', { name: /^Reorder/ })).toBeNull()
  expect(screen.queryByRole('form')).toBeNull()
})
