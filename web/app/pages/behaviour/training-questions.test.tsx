// Behaviour: the questions of learners on the page of a training.
import { onlineManager } from '@tanstack/react-query'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type {
  AnswerPatch,
  NewAnswer,
  OwnAnswer,
  QuestionGroup,
  QuestionPlace,
  QuestionsAnswer,
} from '#contract/feedback/questions.ts'
import { QuestionsPanel } from '#web/features/questions/questions-panel.tsx'
import { FakeRecogniser } from '#web/features/tutor/testing/fake-recogniser.ts'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import { type Answers, makeProblem, makeStep, makeTrainingAnswers, renderPage } from '#web/testing/page-harness.tsx'
import { StepServer } from '#web/testing/step-server.ts'
import { Toaster } from '#web/ui/toast.tsx'
import { TrainingPage } from '../training-page.tsx'

const QUESTIONS = 'GET /api/questions/m1'
const SETTLE = 'POST /api/questions/m1/settle'

function makeGroup(id: string, text: string, fields: Partial<QuestionGroup> = {}): QuestionGroup {
  const ids = fields.ids ?? [id]
  return {
    id,
    text,
    wordings: [],
    ids,
    count: ids.length,
    askedTrainer: 0,
    isOfOneDevice: false,
    people: 1,
    moments: [42],
    answered: ids.length,
    notCovered: 0,
    lastAskedAt: '2026-11-21T10:00:00.000Z',
    ...fields,
  }
}

const WRENCH = makeGroup('q1', 'Where is the wrench?', {
  ids: ['q1', 'q2', 'q3'],
  people: 2,
  wordings: ['wrench where'],
})
const ESPRESSO = makeGroup('q4', 'How do I brew espresso?', { answered: 0, notCovered: 1 })
const GENERAL = makeGroup('q5', 'Is there a checklist?', { answered: 0, moments: [] })

const OWN: OwnAnswer = {
  id: 'a1',
  question: 'How tight it is',
  text: '120.',
  step: null,
  start: null,
  moment: null,
  answeredAt: '2026-11-03T10:00:00.000Z',
  isEarlier: false,
  inPrint: false,
  translation: null,
}

/** Takes what is settled off its list, as the server does. */
class QuestionServer {
  places: QuestionPlace[] = [
    {
      kind: 'step',
      step: { id: 's2', title: 'Title of step 2', number: 2, start: 40, end: 50 },
      groups: [ESPRESSO, WRENCH],
    },
    { kind: 'video', step: null, groups: [GENERAL] },
  ]
  readonly settled = new Set<string>()
  failure: Error | null = null

  answers(): Answers {
    const mark =
      (act: (id: string) => void) =>
      ({ body }: { body: { ids: string[] } }) => {
        if (this.failure !== null) return this.failure
        body.ids.forEach(act)
        return { success: true }
      }
    return {
      [QUESTIONS]: () => this.#read(),
      'POST /api/questions/m1/answers': ({ body }: { body: NewAnswer }) => {
        this.given.push(body)
        body.ids.forEach((id) => this.settled.add(id))
        return { success: true }
      },
      'PATCH /api/questions/m1/answers/a1': ({ body }: { body: AnswerPatch }) => {
        this.ownAnswers = this.ownAnswers.map((answer) => ({ ...answer, ...body, isEarlier: false }))
        return { success: true }
      },
      'DELETE /api/questions/m1/answers/a1': () => {
        this.ownAnswers = []
        return { success: true }
      },
      'POST /api/questions/m1/ignore': mark((id) => this.settled.add(id)),
      [SETTLE]: mark((id) => this.settled.add(id)),
      'POST /api/questions/m1/reopen': mark((id) => this.settled.delete(id)),
    }
  }

  /** What the trainer has answered. */
  ownAnswers: OwnAnswer[] = []
  readonly given: NewAnswer[] = []

  #read(): QuestionsAnswer {
    const isOpen = ({ id }: QuestionGroup) => !this.settled.has(id)
    const places = this.places.map((place) => ({ ...place, groups: place.groups.filter(isOpen) }))
    const open = places.flatMap(({ groups }) => groups).reduce((sum, { count }) => sum + count, 0)
    const filled = places.filter(({ groups }) => groups.length > 0)
    return { success: true, places: filled, open, grouped: open, hiddenGroups: 0, answers: this.ownAnswers }
  }
}

let steps: StepServer
let questions: QuestionServer

function openPage(more: Answers = {}) {
  const answers = makeTrainingAnswers({}, { ...steps.answers(), ...questions.answers(), ...more })
  const page = (
    <>
      <TrainingPage />
      <Toaster />
    </>
  )
  return { answers, ...renderPage(page, { path: '/training/:moduleId', url: '/training/m1', answers }) }
}

const panel = () => screen.findByRole('region', { name: /^Questions from learners/ }, { timeout: 5_000 })
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const listed = async () =>
  within(await panel())
    .queryAllByText(/\?$/, { selector: 'li > p' })
    .map((p) => p.textContent)

beforeEach(() => {
  steps = new StepServer([makeStep(1, 10), makeStep(2, 40)])
  questions = new QuestionServer()
  FakeSocket.all.length = 0
  vi.stubGlobal('WebSocket', FakeSocket)
  Element.prototype.scrollIntoView = vi.fn()
})

afterEach(() => {
  onlineManager.setOnline(true)
  vi.unstubAllGlobals()
})

describe('questions from learners', () => {
  test('questions from learners are listed by step with what the video does not cover, and their moments play', async () => {
    openPage()
    await panel()
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'Step 2 Title of step 2',
      'About the whole video',
    ])
    expect(await listed()).toEqual([ESPRESSO.text, WRENCH.text, GENERAL.text])
    const [espresso, wrench, general] = within(await panel()).getAllByText(/\?$/, { selector: 'li > p' })
    expect(espresso?.parentElement).toHaveTextContent('Not in the videoAsked onceNov 21, 2026')
    expect(wrench?.parentElement).toHaveTextContent('Asked 3 times by 2 peoplelast on Nov 21, 2026')
    expect(general?.parentElement).toHaveTextContent('Got no answer')
    expect(within(wrench?.parentElement as HTMLElement).getByText('wrench where')).toBeInTheDocument()
    await userEvent.click(screen.getAllByRole('button', { name: 'Play from 00:42' })[0] as HTMLElement)
    expect(screen.getByRole('status', { name: 'Video position' })).toHaveTextContent('42')
  })

  test('are answered once, at a step, and what was answered for an earlier version is confirmed with a click', async () => {
    questions.places = [{ kind: 'video', step: null, groups: [{ ...GENERAL, askedTrainer: 2 }] }]
    const step = { id: 's1', title: 'Title of step 1', start: 10 }
    questions.ownAnswers = [{ ...OWN, step, start: 10, isEarlier: true }]
    openPage()
    expect(await within(await panel()).findByText('2 people ask you')).toBeVisible()
    // It would not be known which of the two is meant.
    expect(screen.queryByRole('button', { name: /^Ignore this device/ })).toBeNull()
    await press(/^Still right/)
    await waitFor(() => expect(screen.queryByText('Given for an earlier version')).not.toBeInTheDocument())
    await press(/^Answer: Is there a checklist/)
    const form = screen.getByRole('form', { name: 'Answer' })
    const field = within(form).getByRole('textbox', { name: 'Your answer' })
    expect(field).toHaveFocus()
    await press('Give the answer')
    expect(field).toHaveAccessibleDescription(/Write an answer/)
    await userEvent.type(field, 'Yes, beside the door.')
    await userEvent.selectOptions(within(form).getByRole('combobox', { name: 'Shown in the video at' }), 's2')
    await userEvent.click(within(form).getByRole('checkbox', { name: 'In print and exports as well' }))
    await press('Give the answer')
    await waitFor(async () => expect(await listed()).toEqual([]))
    const question = GENERAL.text
    const text = 'Yes, beside the door.'
    expect(questions.given).toEqual([{ ids: GENERAL.ids, question, text, stepId: 's2', moment: null, inPrint: true }])
  })

  test('are answered by voice, at the moment that the video shows', async () => {
    FakeRecogniser.all.length = 0
    vi.stubGlobal('webkitSpeechRecognition', FakeRecogniser)
    questions.places = [{ kind: 'video', step: null, groups: [GENERAL] }]
    openPage()
    await userEvent.click(await screen.findByRole('button', { name: 'Let 15 seconds pass' }))
    await press(/^Answer: Is there a checklist/)
    const form = within(screen.getByRole('form', { name: 'Answer' }))
    await userEvent.click(form.getByRole('button', { name: 'Dictate' }))
    act(() => FakeRecogniser.last.recognise(['Beside', false]))
    expect(form.getByText('Beside')).toBeVisible()
    act(() => FakeRecogniser.last.recognise(['Beside the door', true]))
    await userEvent.click(form.getByRole('button', { name: 'Dictate' }))
    await userEvent.type(form.getByRole('textbox', { name: 'Your answer' }), '.')
    await userEvent.click(form.getByRole('button', { name: 'Use current time' }))
    expect(form.getByRole('combobox', { name: 'Shown in the video at' })).toHaveDisplayValue('00:15')
    await press('Give the answer')
    await waitFor(() => expect(questions.given).toMatchObject([{ text: 'Beside the door.', stepId: null, moment: 15 }]))
  })

  test('answers wait for what is still being said', async () => {
    FakeRecogniser.all.length = 0
    vi.stubGlobal('webkitSpeechRecognition', FakeRecogniser)
    questions.places = [{ kind: 'video', step: null, groups: [GENERAL] }]
    openPage()
    await press(/^Answer: Is there a checklist/)
    const form = within(screen.getByRole('form', { name: 'Answer' }))
    await userEvent.click(form.getByRole('button', { name: 'Dictate' }))
    act(() => FakeRecogniser.last.recognise(['Beside the door', false]))
    await press('Give the answer')
    expect(form.getByRole('textbox', { name: 'Your answer' })).toHaveValue('Beside the door')
    expect(questions.given).toEqual([])
    await press('Give the answer')
    await waitFor(() => expect(questions.given).toMatchObject([{ text: 'Beside the door' }]))
  })

  test('answers are changed in place, and deleted after a question, and the focus stays at the panel', async () => {
    questions.ownAnswers = [OWN]
    openPage()
    await press('Change: How tight it is')
    await userEvent.type(screen.getByRole('textbox', { name: 'Your answer' }), ' Newton metres.')
    await press('Give the answer')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Change: How tight it is' })).toHaveFocus())
    expect(questions.ownAnswers).toMatchObject([{ text: '120. Newton metres.', inPrint: false }])
    await press('Delete How tight it is')
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete this answer?' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(await screen.findByRole('button', { name: 'Delete How tight it is' })).toHaveFocus()
    await press('Delete How tight it is')
    await press('Delete')
    await waitFor(() => expect(screen.queryByText(/^120\./)).not.toBeInTheDocument())
    expect(await panel()).toHaveFocus()
  })

  test('leave the list with the device that asked them', async () => {
    questions.places = [{ kind: 'video', step: null, groups: [{ ...GENERAL, askedTrainer: 1, isOfOneDevice: true }] }]
    openPage()
    await press(/^Ignore this device: Is there a checklist/)
    await waitFor(async () => expect(await listed()).toEqual([]))
  })

  test('become an alias, which can be changed before, and are settled with it', async () => {
    openPage()
    await press(/^Add as alias: Where is the wrench/)
    const form = screen.getByRole('form', { name: 'Add as alias' })
    const field = within(form).getByRole('textbox', { name: 'Alias' })
    expect(field).toHaveFocus()
    expect(field).toHaveValue('Where is the wrench')
    expect(within(form).getByRole('combobox', { name: 'Step' })).toHaveValue('s2')
    await userEvent.clear(field)
    await press('Add alias')
    expect(field).toHaveAccessibleDescription('Alias is required')
    expect(steps.saves).toHaveLength(0)
    await userEvent.type(field, 'wheel wrench{Enter}')
    expect(await screen.findByText('Alias added to “Title of step 2”')).toBeVisible()
    expect(steps.steps.map(({ aliases }) => aliases)).toEqual([[], ['wheel wrench']])
    expect(steps.saves[0]).toMatchObject({ action: 'update', stepIndex: 1 })
    expect(questions.settled).toEqual(new Set(['q1', 'q2', 'q3']))
    expect(await listed()).toEqual([ESPRESSO.text, GENERAL.text])
    expect(screen.getByRole('heading', { name: /^Questions from learners/ })).toHaveFocus()
  })

  test('become no eleventh alias, and none that is there', async () => {
    const aliases = Array.from({ length: 10 }, (_, at) => `name ${at}`)
    steps = new StepServer([makeStep(1, 10), { ...makeStep(2, 40), aliases }])
    openPage()
    await press(/^Add as alias: Where is the wrench/)
    const field = screen.getByRole('textbox', { name: 'Alias' })
    expect(screen.getByText('10 of 10 used')).toBeVisible()
    await press('Add alias')
    expect(field).toHaveAccessibleDescription('Too many aliases (max 10)')
    await userEvent.clear(field)
    await userEvent.type(field, 'NAME 3')
    expect(field).toHaveAccessibleDescription('This step has this alias already')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Step' }), 's1')
    expect(field).toHaveAccessibleDescription('')
  })

  test('become a teaching note behind those that are there', async () => {
    steps = new StepServer([{ ...makeStep(1, 10), notes: 'Stay calm.' }, makeStep(2, 40)])
    openPage()
    await press(/^Add a teaching note: Is there a checklist/)
    const form = screen.getByRole('form', { name: 'Add a teaching note' })
    const field = within(form).getByRole('textbox', { name: 'New note' })
    expect(field).toHaveValue('Is there a checklist')
    await press('Add note')
    expect(within(form).getByRole('combobox', { name: 'Step' })).toHaveAccessibleDescription('Choose a step')
    await userEvent.selectOptions(within(form).getByRole('combobox', { name: 'Step' }), 's1')
    expect(within(form).getByText('Stay calm.')).toBeVisible()
    await userEvent.clear(field)
    expect(field).toHaveAccessibleDescription('Write what you want to remember about this step')
    await userEvent.type(field, 'Checklist, list of parts')
    await press('Add note')
    expect(await screen.findByText('Teaching note added to “Title of step 1”')).toBeVisible()
    expect(steps.steps[0]?.notes).toBe('Stay calm.\nChecklist, list of parts')
    expect(questions.settled).toEqual(new Set(['q5']))
  })

  test('become a step, which begins where they were asked', async () => {
    openPage()
    await press(/^Add a step: How do I brew espresso/)
    const form = screen.getByRole('form', { name: 'Add a step' })
    expect(within(form).getByRole('textbox', { name: 'Title' })).toHaveFocus()
    expect(within(form).getByRole('textbox', { name: 'Title' })).toHaveValue('Brew espresso')
    expect(within(form).getByRole('textbox', { name: 'Start' })).toHaveValue('00:42')
    expect(within(form).getByRole('textbox', { name: 'End' })).toHaveValue('01:12')
    expect(within(form).getByRole('checkbox', { name: /missed in the video/ })).toBeChecked()
    await userEvent.click(within(form).getByRole('button', { name: 'Add step' }))
    await waitFor(() => expect(questions.settled).toEqual(new Set(['q4'])))
    expect(steps.steps.map(({ title, start }) => [title, start])).toContainEqual(['Brew espresso', 42])
    expect(screen.queryByRole('form', { name: 'Add a step' })).toBeNull()
    expect(screen.getByRole('form', { name: 'Need to add a missing step?' })).toBeVisible()
  })

  test('questions from learners stay, with what was typed, when a step cannot be saved or the form is left', async () => {
    openPage()
    steps.failure = makeProblem('internal', 'Broken')
    await press(/^Add as alias: Where is the wrench/)
    await press('Add alias')
    expect(await screen.findByText('Failed to save step. Please try again.')).toBeVisible()
    expect(screen.getByRole('textbox', { name: 'Alias' })).toHaveValue('Where is the wrench')
    await press('Cancel')
    expect(screen.queryByRole('form', { name: 'Add as alias' })).toBeNull()
    expect(screen.getByRole('button', { name: /^Add as alias: Where is the wrench/ })).toHaveFocus()
    expect(questions.settled.size).toBe(0)
  })

  test('show both versions of a step that another person has changed meanwhile', async () => {
    openPage()
    await press(/^Add as alias: Where is the wrench/)
    steps.saveElsewhere(([first, second]) => [first, { ...second, title: 'Changed elsewhere' }] as typeof steps.steps)
    await press('Add alias')
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByText('Changed elsewhere')).toBeVisible()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Take theirs' }))
    expect(questions.settled.size).toBe(0)
    await press('Add alias')
    await waitFor(() => expect(questions.settled.size).toBe(3))
    expect(steps.steps[1]).toMatchObject({ title: 'Changed elsewhere', aliases: ['Where is the wrench'] })
  })

  test('questions from learners are settled at once, come back with Undo, and where the server refuses', async () => {
    openPage()
    await press(`Settled: ${ESPRESSO.text}`)
    expect(await listed()).toEqual([WRENCH.text, GENERAL.text])
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(async () => expect(await listed()).toHaveLength(3))
    questions.failure = makeProblem('internal', 'Broken')
    await press(`Settled: ${WRENCH.text}`)
    expect(await screen.findByText('The question could not be settled')).toBeVisible()
    await waitFor(async () => expect(await listed()).toHaveLength(3))
  })

  test('questions from learners stay settled when another one cannot be settled meanwhile', async () => {
    const first = Promise.withResolvers<unknown>()
    const { answers } = openPage()
    const settle = answers[SETTLE] as (call: { body: { ids: string[] } }) => unknown
    answers[SETTLE] = (call: { body: { ids: string[] } }) =>
      call.body.ids[0] === ESPRESSO.id ? first.promise : settle(call)
    await panel()
    await press(`Settled: ${ESPRESSO.text}`)
    answers[QUESTIONS] = () => new Promise(() => {})
    await press(`Settled: ${WRENCH.text}`)
    await waitFor(() => expect(questions.settled.size).toBe(3))
    first.resolve(makeProblem('internal', 'Broken'))
    expect(await screen.findByText('The question could not be settled')).toBeVisible()
    expect(await listed()).toEqual([ESPRESSO.text, GENERAL.text])
  })

  test('questions from learners are shown a few at a time where there are many, and it is said what is left out', async () => {
    const groups = Array.from({ length: 5 }, (_, at) => makeGroup(`g${at}`, `What about ${at}?`))
    const places: QuestionPlace[] = [{ kind: 'removed', step: null, groups }]
    openPage({ [QUESTIONS]: { success: true, places, open: 3_214, grouped: 1_000, hiddenGroups: 12, answers: [] } })
    expect(await screen.findByRole('heading', { name: 'At steps that are gone' })).toBeVisible()
    expect(screen.getByText(/newest 1,000 of 3,214\. 12 more appear/)).toBeVisible()
    expect(await listed()).toHaveLength(3)
    await press('Show 2 more questions')
    expect(await listed()).toHaveLength(5)
    expect(screen.getByRole('button', { name: 'Show fewer questions' })).toHaveFocus()
  })

  test('questions from learners stay in view, with what is half typed, when others pass them', async () => {
    const ask = (...order: number[]) => {
      const groups = order.map((at) => makeGroup(`g${at}`, `What about ${at}?`))
      questions.places = [{ kind: 'video', step: null, groups }]
    }
    ask(0, 1, 2)
    const { queryClient } = openPage()
    await press('Answer: What about 2?')
    await userEvent.type(screen.getByRole('textbox', { name: 'Your answer' }), 'Half')
    ask(3, 0, 1, 4, 2)
    await act(() => queryClient.invalidateQueries({ queryKey: ['questions', 'm1'] }))
    expect(await listed()).toEqual(['What about 3?', 'What about 0?', 'What about 1?', 'What about 2?'])
    expect(screen.getByRole('textbox', { name: 'Your answer' })).toHaveValue('Half')
  })
})

describe('the panel of questions', () => {
  test('says where questions come from while there are none', async () => {
    questions.places = []
    openPage()
    expect(await screen.findByText(/^No open questions\. What people ask the tutor/)).toBeVisible()
  })

  test('can be loaded again when it fails', async () => {
    const { answers } = openPage({ [QUESTIONS]: makeProblem('not_found', 'Gone') })
    const again = await screen.findByRole('button', { name: 'Load questions again' })
    expect(screen.getByText('Failed to load the questions')).toHaveRole('alert')
    answers[QUESTIONS] = questions.answers()[QUESTIONS]
    await userEvent.click(again)
    expect(await screen.findByText(WRENCH.text)).toBeVisible()
    expect(await listed()).toHaveLength(3)
  })

  test('waits for the connection, and says so', async () => {
    onlineManager.setOnline(false)
    const forms = { renderStepForm: () => null, renderDictation: () => null }
    const actions = { steps: [], editStep: async () => false, ...forms, onPlay: undefined, readTimeS: () => null }
    const answers = questions.answers()
    renderPage(<QuestionsPanel moduleId="m1" {...actions} />, { path: '/', url: '/', answers })
    expect(await screen.findByText(/^You are offline\. The questions appear/)).toBeVisible()
    act(() => onlineManager.setOnline(true))
    expect(await screen.findByText(WRENCH.text)).toBeVisible()
    // Nothing to play, and no step that could have an alias or a note.
    expect(screen.queryByRole('button', { name: /^(Play from|Add as alias|Add a teaching note)/ })).toBeNull()
  })

  test('is for owners', async () => {
    // Loaded with a viewer's player, and not after the test.
    await import('#web/features/learning/learning-log.ts')
    const answers = makeTrainingAnswers({ role: 'viewer' }, questions.answers())
    const page = renderPage(<TrainingPage />, { path: '/training/:moduleId', url: '/training/m1', answers })
    expect(await screen.findByText('Do the steps help?')).toBeVisible()
    expect(page.countCalls(QUESTIONS)).toBe(0)
    expect(screen.queryByRole('region', { name: /^Questions from learners/ })).toBeNull()
  })
})
