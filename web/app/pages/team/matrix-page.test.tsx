import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { MatrixAnswer, MatrixPerson } from '#contract/records/matrix.ts'
import { SIGN_OFF } from '#contract/testing/sign-off.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { MatrixPage } from './matrix-page.tsx'

const AT = '2026-11-21T12:00:00.000Z'
const ANN: MatrixPerson = {
  id: 'ann',
  name: 'Ann',
  number: '7',
  cells: [
    { trainingId: 'lift', state: 'done', doneAt: AT, version: 2 },
    { trainingId: 'fire', state: 'overdue', dueAt: AT },
  ],
}
const BOB: MatrixPerson = {
  id: 'bob',
  name: 'Bob',
  number: null,
  cells: [{ trainingId: 'fire', state: 'in_progress' }],
}

const answer = (people: MatrixPerson[], fields: Partial<MatrixAnswer> = {}): MatrixAnswer => ({
  success: true,
  trainings: [
    { id: 'lift', title: 'Forklift', counts: { done: 1 } },
    { id: 'fire', title: 'Fire drill', counts: { overdue: 1, in_progress: 1 } },
  ],
  isCut: false,
  people,
  next: null,
  groups: [{ id: 'g', name: 'Line 3' }],
  ...fields,
})

function open(answers: Record<string, unknown>, look: 'wide' | 'phone' = 'wide') {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) => Object.assign(new EventTarget(), { media, matches: look === 'wide' }) as MediaQueryList,
  )
  const { callApi, calls } = fakeApi({
    'GET /api/collections': () => ({ success: true, collections: [] }),
    ...Object.fromEntries(
      Object.entries(answers).map(([name, value]) => [name, typeof value === 'function' ? value : () => value]),
    ),
  } as Parameters<typeof fakeApi>[0])
  return { ...renderApp(<MatrixPage />, { callApi, organization: 'org' }), calls }
}

afterEach(() => {
  vi.restoreAllMocks()
  document.dir = ''
})

/** A hundred people and trainings, in a box that shows a few of them. */
function openLarge() {
  // jsdom lays nothing out.
  for (const side of ['clientWidth', 'clientHeight'] as const)
    vi.spyOn(Element.prototype, side, 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(45)
  const trainings = Array.from({ length: 100 }, (_, place) => {
    return { id: `t${place}`, title: `Training ${place}`, counts: {} }
  })
  const people = Array.from({ length: 100 }, (_, row) => ({ ...BOB, id: `p${row}`, name: `Person ${row}`, cells: [] }))
  const few = answer(people, { trainings: trainings.slice(0, 20) })
  return open({ 'GET /api/matrix': answer(people, { trainings }), 'GET /api/matrix?group=g': few })
}

describe('the matrix', () => {
  it('prints all trainings, in tables of as many as fit across a page', async () => {
    const trainings = Array.from({ length: 7 }, (_, at) => ({ id: `t${at}`, title: `Training ${at}`, counts: {} }))
    const cells: MatrixPerson['cells'] = [{ trainingId: 't6', state: 'done', doneAt: AT, version: 2 }]
    open({ 'GET /api/matrix': answer([{ ...ANN, cells }], { trainings }) })
    await screen.findByRole('grid')
    expect(screen.queryAllByRole('table')).toEqual([])
    window.dispatchEvent(new Event('beforeprint'))
    expect(screen.getByRole('heading', { name: 'People and trainings' })).toBeTruthy()
    const tables = screen.getAllByRole('table')
    expect(tables.map((table) => within(table).getAllByRole('columnheader').length)).toEqual([6, 3])
    expect(within(tables[1] as HTMLElement).getByRole('cell', { name: 'Nov 21, 2026' })).toBeTruthy()
    window.dispatchEvent(new Event('afterprint'))
    await vi.waitFor(() => expect(screen.queryAllByRole('table')).toEqual([]))
  })

  it('says on paper that not all people are on it', async () => {
    open({ 'GET /api/matrix': answer([ANN, BOB], { next: 'bob' }) })
    await screen.findByRole('grid')
    expect(screen.queryByText(/people are listed here/)).toBeNull()
    window.dispatchEvent(new Event('beforeprint'))
    expect(screen.getByText('Only the first 2 people are listed here.')).toBeTruthy()
    window.dispatchEvent(new Event('afterprint'))
    await vi.waitFor(() => expect(screen.queryAllByRole('table')).toEqual([]))
  })

  it('shows states with sums, and moves among the cells with arrow keys', async () => {
    const { user } = open({ 'GET /api/matrix': answer([ANN, BOB]) })
    expect(await screen.findByRole('columnheader', { name: /Fire drill.*Done: 0 of 2.*Overdue: 1/ })).toBeVisible()
    const first = screen.getByRole('button', { name: 'Ann, Forklift: Done on Nov 21, 2026' })
    await user.click(screen.getByRole('button', { name: 'Bob is not asked for Forklift' }))
    await user.keyboard('{ArrowUp}')
    expect(first).toHaveFocus()
    await user.keyboard('{ArrowRight}{ArrowRight}')
    expect(screen.getByRole('button', { name: 'Ann, Fire drill: Was due by Nov 21, 2026' })).toHaveFocus()
    await user.keyboard('{ArrowDown}')
    expect(screen.getByRole('button', { name: 'Bob, Fire drill: In progress' })).toHaveFocus()
  })

  it('asks for the people of a group, and for more of them', async () => {
    const { user, calls } = open({
      'GET /api/matrix': answer([ANN, BOB]),
      'GET /api/matrix?group=g': answer([ANN], { next: 'n' }),
      'GET /api/matrix?group=g&after=n': answer([BOB]),
    })
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Group' }), 'Line 3')
    await user.click(await screen.findByRole('button', { name: 'More people' }))
    expect(await screen.findByRole('rowheader', { name: 'Bob' })).toBeVisible()
    expect(calls).toContain('GET /api/matrix?group=g&after=n')
  })

  it('draws of a large matrix what its box shows, and the cell that has the focus', async () => {
    const { user } = openLarge()
    await user.click(await screen.findByRole('button', { name: 'Person 0 is not asked for Training 0' }))
    const grid = screen.getByRole('grid')
    expect(grid).toHaveAttribute('aria-colcount', '101')
    expect(within(grid).getAllByRole('row').length).toBeLessThan(40)
    expect(screen.queryByRole('columnheader', { name: /Training 50/ })).toBeNull()
    await user.keyboard('{End}{ArrowDown}')
    expect(screen.getByRole('button', { name: 'Person 1 is not asked for Training 99' })).toHaveFocus()
  })

  it('draws both ends of a row in the key press that goes there', async () => {
    vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockReturnValue(128 * 100)
    const { user } = openLarge()
    const first = await screen.findByRole('button', { name: 'Person 0 is not asked for Training 0' })
    await user.click(first)
    fireEvent.keyDown(first, { key: 'End' })
    expect(screen.getByRole('columnheader', { name: /Training 98/ })).toBeTruthy()
    expect(screen.queryByRole('columnheader', { name: /Training 0(?!\d)/ })).toBeNull()
    const last = screen.getByRole('button', { name: 'Person 0 is not asked for Training 99' })
    expect(last).toHaveFocus()
    fireEvent.keyDown(last, { key: 'Home' })
    expect(screen.getByRole('columnheader', { name: /Training 1(?!\d)/ })).toBeTruthy()
    expect(screen.queryByRole('columnheader', { name: /Training 98/ })).toBeNull()
  })

  it('keeps a cell for the keyboard where other filters leave fewer, also of a large matrix', async () => {
    const { user } = openLarge()
    await user.click(await screen.findByRole('button', { name: 'Person 0 is not asked for Training 0' }))
    await user.keyboard('{End}')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Group' }), 'Line 3')
    const last = await screen.findByRole('button', { name: 'Person 0 is not asked for Training 19' })
    expect(last).toHaveAttribute('tabindex', '0')
  })

  it('draws what its box shows also from right to left', async () => {
    document.dir = 'rtl'
    openLarge()
    const box = (await screen.findByRole('grid')).parentElement as HTMLElement
    box.scrollLeft = -128 * 50
    fireEvent.scroll(box)
    expect(await screen.findByRole('columnheader', { name: /Training 50/ })).toBeTruthy()
  })

  it('goes person by person on a phone', async () => {
    const { user } = open({ 'GET /api/matrix': answer([ANN]) }, 'phone')
    await user.click(await screen.findByText('Ann'))
    expect(screen.getByRole('button', { name: /Fire drill.*Was due by Nov 21, 2026/ })).toBeVisible()
    expect(screen.queryByRole('grid')).toBeNull()
  })

  it('says that nothing is assigned yet', async () => {
    open({ 'GET /api/matrix': answer([ANN], { trainings: [] }) })
    expect(await screen.findByRole('heading', { name: 'Nothing is assigned yet' })).toBeVisible()
  })
})

describe('signing off', () => {
  it('sends what was judged of each step, with name and meaning', async () => {
    const sent: unknown[] = []
    const { user } = open({
      'GET /api/matrix': answer([ANN, BOB]),
      'GET /api/sign-off/bob/fire': SIGN_OFF,
      'POST /api/sign-off/bob/fire': (body: unknown) => {
        sent.push(body)
        return { ...SIGN_OFF, known: { ...SIGN_OFF.known, refusedSteps: ['s2'] } }
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Bob, Fire drill: In progress' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Sign off Bob' }))
    expect(await dialog.findByRole('button', { name: 'Sign' })).toHaveAttribute('aria-disabled', 'true')
    await user.click(dialog.getByRole('button', { name: 'All steps were shown' }))
    const second = within(dialog.getByRole('group', { name: 'Title s2' }))
    await user.click(second.getByRole('radio', { name: 'Show again' }))
    await user.type(second.getByRole('textbox', { name: 'What has to be different' }), 'Slower')
    await user.type(dialog.getByRole('textbox', { name: 'Your name' }), 'Bo')
    expect(dialog.getByText(/^Signed by Bo as supervisor, meaning: The marked steps/)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Sign and ask for it again' }))
    expect(await screen.findByText('Bob is asked for these steps again')).toBeVisible()
    const meaning = 'The marked steps have to be shown to me again.'
    const steps = [
      { step: 's1', isShown: true, note: '' },
      { step: 's2', isShown: false, note: 'Slower' },
    ]
    expect(sent).toEqual([{ version: 'a'.repeat(64), seq: 4, steps, name: 'Bo', meaning }])
  })

  it('lets nobody sign for themselves', async () => {
    const { user } = open({
      'GET /api/matrix': answer([BOB]),
      'GET /api/sign-off/bob/fire': { ...SIGN_OFF, isMe: true },
    })
    await user.click(await screen.findByRole('button', { name: 'Bob, Fire drill: In progress' }))
    expect(await screen.findByText('Somebody else has to sign off your own training.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Sign' })).toBeNull()
  })
})
