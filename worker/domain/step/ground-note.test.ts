import { describe, expect, it } from 'vitest'
import { STEP_RULES } from '#contract/limits.ts'
import { divideNote, groundNote, joinNotes } from './ground-note.ts'

const SAID = 'Unplug the machine first. Never touch the hot plate. Wait 10 minutes until the plate is cold.'

describe('groundNote', () => {
  it.each([
    ['what the narration warns of', 'Learners often forget to unplug the machine first.'],
    ['a question that it answers', 'Learners ask how long to wait until the plate is cold: 10 minutes.'],
    ['a denial that it denies', 'A common mistake: never touch the hot plate.'],
  ])('keeps %s', (_what, note) => {
    expect(groundNote(note, SAID)).toBe(note)
  })

  it.each([
    ['what is not said', 'Learners confuse the valve with the lever.'],
    ['a number that is not said', 'Wait 20 minutes until the plate is cold.'],
    ['the opposite of what is said', 'Touch the hot plate.'],
    ['a denial of what is said', 'Do not unplug the machine first.'],
    ['words about teaching alone', 'Learners often ask questions.'],
    ['markup alone', '<b></b>'],
    ['nothing', '   '],
  ])('drops %s', (_what, note) => {
    expect(groundNote(note, SAID)).toBe('')
  })

  it('keeps the sentences that are supported, and drops the others', () => {
    expect(groundNote('Unplug the machine first. Bring a\nladder! Wait until the plate is cold.', SAID)).toBe(
      'Unplug the machine first. Wait until the plate is cold.',
    )
  })

  it('drops what rests on a word that may not have been said', () => {
    expect(groundNote('Unplug the machine first.', SAID, new Set(['machin']))).toBe('')
  })

  it('reads scripts without blanks', () => {
    expect(groundNote('学员常忘记先拔下插头。', '先拔下机器的插头。然后打开盖子。')).toBe('')
    expect(groundNote('先拔下机器的插头。', '先拔下机器的插头。然后打开盖子。')).toBe('先拔下机器的插头。')
  })

  it('is never longer than a note may be, and never cut inside of a sentence', () => {
    const sentence = 'Unplug the machine and wait until the hot plate is cold'
    const note = groundNote(`${sentence}. ${sentence}! ${sentence} first. `.repeat(40), SAID)
    expect(note.length).toBeLessThanOrEqual(STEP_RULES.notesMaxChars)
    expect(note).toBe(`${sentence}. ${sentence}! ${sentence} first.`)
    expect(groundNote(`${'Unplug the machine and '.repeat(30)}wait.`, SAID)).toBe('')
  })
})

describe('joinNotes', () => {
  it('joins whole notes, each once, as far as there is room', () => {
    const long = 'x'.repeat(STEP_RULES.notesMaxChars - 2)
    expect(joinNotes(['One.', 'Two.', 'One.', long])).toBe('One. Two.')
    expect(joinNotes([long, 'One.'])).toBe(long)
    expect(joinNotes([])).toBe('')
  })
})

describe('divideNote', () => {
  it('gives each part the sentences that it says, and none twice', () => {
    const note = 'Unplug the machine first. Wait until the plate is cold.'
    expect(divideNote(note, ['Unplug the machine first.', 'Wait until the plate is cold.'])).toEqual([
      'Unplug the machine first.',
      'Wait until the plate is cold.',
    ])
    expect(divideNote(note, [SAID, SAID])).toEqual([note, ''])
  })
})
