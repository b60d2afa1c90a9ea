import { describe, expect, it } from 'vitest'
import { openIndex } from './open-index.ts'
import { digestTraining, pickTrainings } from './pick-trainings.ts'
import { NARRATION, sayAll } from './testing/narration.ts'

function makeTraining(name: string, texts: readonly string[], written: readonly string[] = []) {
  return { ...digestTraining([openIndex({ segments: sayAll(texts), steps: [] })], [name, ...written]), name }
}

const TYRE = makeTraining('Change a tyre', NARRATION)
const NOZZLE = makeTraining('Clean the nozzles', [
  'Switch the filling machine off and wait until the belt stands still.',
  'Turn each nozzle to the left and put it into the bath.',
  'The bath is ten minutes long, then dry each nozzle with air.',
])
const BELT = makeTraining(
  'Tighten the belt',
  ['The belt of the filling machine is tightened with two screws.'],
  ['Riemen spannen'],
)
const ALL = [TYRE, NOZZLE, BELT]

const namesFor = (question: string) => pickTrainings(ALL, question).map(({ training }) => training.name)

describe('pickTrainings', () => {
  it.each([
    ['a word that one training says', 'Where is the jack?', 'Change a tyre'],
    ['another form of it', 'How long do nozzles bathe?', 'Clean the nozzles'],
    ['a word of its title or steps in another language', 'Wie den Riemen spannen', 'Tighten the belt'],
    ['a word that is not typed to its end', 'nozz', 'Clean the nozzles'],
  ])('puts the training first that has %s', (_what, question, name) => {
    expect(namesFor(question)[0]).toBe(name)
  })

  it('weighs a word that few trainings have more than one that many have', () => {
    expect(namesFor('Which machine has a screw')[0]).toBe('Tighten the belt')
  })

  it('leaves out trainings without any of the words, and finds none for words that ask nothing', () => {
    expect(namesFor('wedge')).toEqual(['Change a tyre'])
    expect(namesFor('insurance')).toEqual([])
    expect(namesFor('what is it')).toEqual([])
    expect(pickTrainings([], 'nozzle')).toEqual([])
  })

  it('takes what is said in each language that is searched', () => {
    const indexes = [NARRATION, ['Der Schlüssel liegt unter dem Teppich.']].map((texts) =>
      openIndex({ segments: sayAll(texts), steps: [] }),
    )
    const digest = { ...digestTraining(indexes, []), name: 'both' }
    for (const question of ['Teppich', 'carpet']) expect(pickTrainings([digest], question)).toHaveLength(1)
  })
})
