import { expect, it } from 'vitest'
import { dropTimeMarkers, isTimeMarker, SpokenQuestion, TutorQuestion } from './tutor.ts'

it.each(['Start at 1:23', '[00:45] Lift', '**at: 30 seconds**', '- 1:02:03', 'Jump to 90 s', 'Time = 2 min'])(
  'takes "%s" for a marker of a time',
  (line) => expect(isTimeMarker(line)).toBe(true),
)

it.each(['Lift it at the handle', 'Wait 30 seconds', `${'-'.repeat(200)} 1:23`, ''])('takes "%s" for text', (line) =>
  expect(isTimeMarker(line)).toBe(false),
)

it('looks at the first 200 characters of a line alone', () => {
  expect(isTimeMarker(`${' '.repeat(196)}1:23`)).toBe(true)
  expect(isTimeMarker(`${' '.repeat(197)}1:23`)).toBe(false)
})

it('leaves lines with markers out of an answer', { tags: 'spec-5.3' }, () => {
  expect(dropTimeMarkers('Lift it.\nStart at 1:23\nTurn it.')).toBe('Lift it.\nTurn it.')
})

it('asks by voice what is asked by text', () => {
  const question = { moduleId: 'm', videoTime: 3, turnId: 'turn-0001' }
  expect(SpokenQuestion.parse({ ...question, question: ' Why? ' })).toEqual({ ...question, question: 'Why?' })
  expect(TutorQuestion.safeParse({ ...question, userMessage: ' ' }).success).toBe(false)
})
