import { expect, it } from 'vitest'
import { BLANK_STEP, StepCommand, StepInput } from './step.ts'

const read = (times: object) => {
  const { start, end } = StepInput.parse({ title: 'Lift', ...times })
  return [start, end]
}

it('reads the times of a step in each way that clients send them', { tags: 'spec-5.6' }, () => {
  expect(read({ start: 1, end: 4 })).toEqual([1, 4])
  expect(read({ startTime: 1, endTime: 4 })).toEqual([1, 4])
  expect(read({ timestamp: 1, duration: 3 })).toEqual([1, 4])
  expect(read({ start: 0, startTime: 2, timestamp: 3, end: 4, endTime: 5, duration: 6 })).toEqual([0, 4])
})

it('refuses a step that has no end, or ends before it starts', () => {
  const refuses = (times: object) => !StepInput.safeParse({ title: 'Lift', ...times }).success
  expect([{ start: 1 }, { duration: 3 }, { start: 4, end: 3 }].every(refuses)).toBe(true)
  expect(refuses({ start: 4, end: 4 })).toBe(false)
  expect([null, 'Lift'].map((value) => StepInput.safeParse(value).success)).toEqual([false, false])
})

it('fills in what a client leaves out, and drops empty aliases', () => {
  const given = { title: ' Lift ', start: 1, end: 4, aliases: ['', 'raise'] }
  expect(StepInput.parse(given)).toEqual({
    ...given,
    title: 'Lift',
    description: '',
    isManual: false,
    aliases: ['raise'],
  })
})

it('keeps a focus inside the picture', () => {
  const takes = (focus: object) => StepInput.safeParse({ title: 'Lift', start: 1, end: 4, focus }).success
  expect(takes({ x: 0, y: 0, width: 100, height: 100 })).toBe(true)
  expect(takes({ x: 1, y: 0, width: 100, height: 100 })).toBe(false)
  expect(takes({ x: 0, y: 1, width: 100, height: 100 })).toBe(false)
})

it('knows nothing of a blank step', () => {
  const { notesQuotable, notesEdited, isManual, isDraft } = BLANK_STEP
  expect([notesQuotable, notesEdited, isManual, isDraft]).toEqual([false, false, false, false])
})

it('takes moments and lines of commands from the start of the video on', () => {
  expect([-1, 0].map((startMs) => StepCommand.safeParse({ kind: 'code', text: 'x', startMs }).success)).toEqual([
    false,
    true,
  ])
})
