import { expect, it } from 'vitest'
import type { OwnTraining } from '#contract/team/my-trainings.ts'
import { writeCalendar } from './calendar-file.ts'

const TRAINING: OwnTraining = {
  moduleId: 'm1',
  version: 'a'.repeat(64),
  title: 'Filter, wechseln; Linie 3',
  stepCount: 4,
  path: '/share/m1',
  rule: { reached: true, confirmed: false, signedOff: false },
  dueAt: new Date(2027, 2, 31, 23, 59, 59).toISOString(),
  startedAt: null,
  reachedAt: null,
  confirmedAt: null,
  doneAt: null,
  expiresAt: null,
  isOpen: true,
  refusedSteps: 0,
  changedSteps: null,
}

it('has a day for each training with a date, and none for the others', () => {
  const text = writeCalendar(
    [
      TRAINING,
      { ...TRAINING, moduleId: 'm2', dueAt: null },
      { ...TRAINING, moduleId: 'm3', isOpen: false, expiresAt: new Date(2028, 0, 5, 12).toISOString() },
    ],
    'https://adapt.example',
  )
  const unfolded = text.replaceAll('\r\n\t', '').replaceAll('\r\n ', '')
  expect(unfolded.match(/^UID:.*$/gm)).toEqual(['UID:m1@adapt.example', 'UID:m3@adapt.example'])
  expect(unfolded.match(/^DTSTART.*$/gm)).toEqual(['DTSTART;VALUE=DATE:20270331', 'DTSTART;VALUE=DATE:20280105'])
  expect(unfolded).toContain('SUMMARY:Filter\\, wechseln\\; Linie 3')
  expect(unfolded).toContain('URL:https://adapt.example/share/m1')
})
