import { expect, it } from 'vitest'
import { writeCsv } from './write-csv.ts'

const TRAINING = { id: 'a', title: 'Forklift, "safely"', counts: {} }

it('writes a row for each person, and no text as a formula', () => {
  const people = [
    { id: '1', name: '=HYPERLINK("x")', number: null, cells: [] },
    {
      id: '2',
      name: 'مريم',
      number: '007',
      cells: [{ trainingId: 'a', state: 'done' as const, doneAt: '2026-11-21T12:00:00.000Z', version: 1 }],
    },
  ]
  expect(writeCsv([TRAINING], people)).toBe(
    '\uFEFF"Person","#","Forklift, ""safely"""\r\n"\'=HYPERLINK(""x"")","",""\r\n"مريم","007","Done on Nov 21, 2026"\r\n',
  )
})
