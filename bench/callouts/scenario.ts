import { readFileSync } from 'node:fs'
import type { Callout } from '#contract/step.ts'
import { proposeCallouts } from '#worker/domain/step/extractive/find-callouts.ts'
import { readSentences } from '#worker/domain/step/extractive/sentences.ts'
import { gate, row, type Scenario, sum } from '../scenario.ts'

/** The first are those that the cues were chosen by; the others were written and labelled before any cue met them. */
const SETS = ['narrations', 'unseen'] as const
const KINDS: Readonly<Record<string, Callout['kind']>> = { w: 'warning', t: 'tool', p: 'part', i: 'tip' }

/** What a person says that a sentence is, by letters before it; `-` for nothing. */
interface Labelled {
  text: string
  kinds: Callout['kind'][]
}

function readSet(name: string): Labelled[] {
  const lines = readFileSync(new URL(`./${name}.txt`, import.meta.url), 'utf8').split('\n')
  return lines.flatMap((line) => {
    const [, letters = '', text = ''] = /^(-|[wtpi]+) (.+)$/.exec(line) ?? []
    return text === '' ? [] : [{ text, kinds: letters.split('').flatMap((letter) => KINDS[letter] ?? []) }]
  })
}

function score(labelled: readonly Labelled[]) {
  const counts = labelled.map(({ text, kinds }, at) => {
    const spoken = [{ id: `s${at}`, startMs: 0, endMs: 5_000, text }]
    const proposed = proposeCallouts([], spoken, readSentences(spoken))
    const wrong = proposed.filter(({ kind, quote }) => !kinds.includes(kind) || quote !== text).length
    const found = kinds.filter((kind) => proposed.some((each) => each.kind === kind)).length
    return { proposed: proposed.length, right: proposed.length - wrong, wanted: kinds.length, found }
  })
  const total = (name: keyof (typeof counts)[number]) => sum(counts.map((each) => each[name]))
  const [proposed, right, wanted, found] = [total('proposed'), total('right'), total('wanted'), total('found')]
  return { sentences: labelled.length, proposed, precision: right / proposed, recall: found / wanted }
}

const share = (figure: number) => figure.toFixed(3)

/** How many of the callouts that are proposed without a model are right, by labels of people, on scripted how-tos. */
export const scenario: Scenario = {
  measure: async () => {
    const sets = SETS.map((name) => ({ name, ...score(readSet(name)) }))
    const all = score(SETS.flatMap(readSet))
    return {
      json: { sets, all },
      table: [
        gate('Proposed callouts', all.proposed, { atLeast: 100 }, String),
        gate('Right among them', all.precision, { atLeast: 0.9 }, share),
        row('Found of those that are labelled', share(all.recall)),
        ...sets.map(({ name, sentences, proposed, precision, recall }) =>
          row(
            `${name}: ${sentences} sentences`,
            `${proposed} proposed, ${share(precision)} right, ${share(recall)} found`,
          ),
        ),
      ],
    }
  },
}
