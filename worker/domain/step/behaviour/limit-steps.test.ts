// Behaviour: the steps of a very long video stay within the limits.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { STEP_HARD_LIMITS, STEP_RULES, VIDEO_MAX_S } from '#contract/limits.ts'
import { SaveSteps } from '#contract/step.ts'
import { composeSteps, limitBeside } from '../compose-steps.ts'
import type { StepToStore } from '../tidy-section.ts'

const MOST = STEP_HARD_LIMITS.maxSteps
/** In seconds, what the pipeline itself may make of it. */
const LONGEST_S = STEP_RULES.maxDurationS - 1

/** Steps of a video with the given lengths, each of one segment; one section for every ten. */
function compose(lengthsS: readonly number[], gapS = 0): StepToStore[] {
  let atS = 0
  const steps = lengthsS.map((lengthS, index) => {
    const startS = atS + gapS
    atS = startS + lengthS
    return {
      segmentIds: [`s${index}`],
      startMs: startS * 1_000,
      endMs: atS * 1_000,
      title: `Title ${index}`,
      description: `What is done at ${index}.`,
      originalText: `Words ${index}.`,
      continues: false,
    }
  })
  const sections = Array.from({ length: Math.ceil(steps.length / 10) }, (_, at) => ({
    steps: steps.slice(at * 10, at * 10 + 10),
    isDraft: at % 2 === 1,
  }))
  return composeSteps({ run: 1, durationMs: atS * 1_000, sections, isComplete: true })
}

/** A day of steps of which no two make one that is legal. */
const NOT_TWO_FIT = Array.from({ length: Math.floor(VIDEO_MAX_S / 151) }, () => 151)

const toInput = ({ id, title, description, startMs, endMs, originalText }: StepToStore) => {
  return { id, title, description, start: startMs / 1_000, end: endMs / 1_000, originalText }
}

const lengthsOf = (steps: readonly StepToStore[]) => steps.map(({ startMs, endMs }) => (endMs - startMs) / 1_000)

describe('the steps of a very long video', () => {
  it('the steps of a very long video stay as they are up to the most that can be saved', () => {
    const lengths = Array.from({ length: MOST }, (_, index) => 20 + (index % 7))
    const steps = compose(lengths)
    expect(lengthsOf(steps)).toEqual(lengths)
    expect(steps.map(({ title }) => title)).toEqual(lengths.map((_, index) => `Title ${index}`))
  })

  it('the steps of a very long video are joined where they are shortest, and say in their own words what is done in them', () => {
    // Every hundredth one is followed by two that take five seconds.
    const lengths = Array.from({ length: 510 }, (_, index) => ([1, 2].includes(index % 100) ? 5 : 60))
    const steps = compose(lengths)
    expect(steps.length).toBeLessThanOrEqual(MOST)
    expect(steps.length).toBeGreaterThan(MOST - 10)
    expect(steps.slice(0, 3)).toMatchObject([
      {
        id: 'r1-s0',
        title: 'Title 0',
        description: 'What is done at 0. What is done at 1.',
        originalText: 'Words 0. Words 1.',
        segmentIds: ['s0', 's1'],
        startMs: 0,
        endMs: 65_000,
      },
      { id: 'r1-s2', endMs: 130_000 },
      { id: 'r1-s4', title: 'Title 4', description: 'What is done at 4.', endMs: 190_000 },
    ])
  })

  it('can be saved by a person, keep every rule of the editor, and leave out nothing that was said', {
    tags: 'spec-5.7',
  }, () => {
    const lengthS = fc.oneof(fc.integer({ min: 5, max: 30 }), fc.integer({ min: 5, max: LONGEST_S }))
    const video = fc
      .tuple(fc.array(lengthS, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 4_000 }))
      .map(([pattern, count]) => {
        const lengths: number[] = []
        for (let [at, sumS] = [0, 0]; at < count; at++) {
          const nextS = pattern[at % pattern.length] as number
          if (sumS + nextS > VIDEO_MAX_S) break
          sumS += nextS
          lengths.push(nextS)
        }
        return lengths
      })
    const property = fc.property(video, (lengths) => {
      const steps = compose(lengths)
      expect(steps.length).toBeLessThanOrEqual(MOST)
      if (lengths.length <= MOST) expect(steps).toHaveLength(lengths.length)
      expect(SaveSteps.safeParse({ steps: steps.map(toInput) }).success).toBe(true)
      expect(steps.flatMap(({ segmentIds }) => segmentIds)).toEqual(lengths.map((_, index) => `s${index}`))
      expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length)
      steps.forEach((step, index) => {
        expect(step.endMs - step.startMs).toBeGreaterThanOrEqual(STEP_RULES.minDurationS * 1_000)
        expect(step.endMs - step.startMs).toBeLessThanOrEqual(LONGEST_S * 1_000)
        expect(step.startMs).toBeGreaterThanOrEqual(steps[index - 1]?.endMs ?? 0)
        expect(step.description.length).toBeLessThanOrEqual(STEP_RULES.descriptionMaxChars)
      })
    })
    fc.assert(property, { numRuns: 40, examples: [[NOT_TWO_FIT]] })
  })

  it('leave room for those that a person has added or changed meanwhile, which stay by themselves', () => {
    const steps = compose(Array.from({ length: MOST }, () => 10))
    const touched = ['r1-s100', 'r1-s101', 'mine', 'mine too']
    const fewer = limitBeside(steps, touched)
    expect(fewer.length + 2).toBeLessThanOrEqual(MOST)
    const before = new Map(steps.map((step) => [step.id, step]))
    for (const id of touched.slice(0, 2)) expect(fewer).toContainEqual(before.get(id))
    expect(limitBeside(steps, ['r1-s100'])).toEqual(steps)
  })
})
