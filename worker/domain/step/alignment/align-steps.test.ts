import { describe, expect, it } from 'vitest'
import { alignSteps } from './align-steps.ts'
import { HELD_OUT } from './testing/held-out.ts'
import { type Rerecording, reRecord } from './testing/re-record.ts'
import { RECORDINGS } from './testing/recordings.ts'

const SEEDS = [1, 2, 3, 4, 5, 6]
/** A learner who is sent to a place that is so far off still sees the step begin. */
const NEAR_MS = 2_000

/** The steps of which the proposal is wrong. */
function listWrong(recording: Rerecording): string[] {
  const { times } = alignSteps(recording)
  return recording.steps.flatMap(({ id }) => {
    const [startMs, truthMs] = [times.get(id)?.startMs ?? null, recording.truth.get(id) ?? null]
    const isRight = startMs === null || truthMs === null ? startMs === truthMs : Math.abs(startMs - truthMs) <= NEAR_MS
    return isRight ? [] : [`${recording.topic}: ${id} ${String(startMs)} instead of ${String(truthMs)}`]
  })
}

const recordAll = (scripts: readonly string[]) =>
  scripts.flatMap((script) => SEEDS.map((seed) => reRecord(script, seed)))

describe('the steps of a procedure that was recorded again', () => {
  it.each([
    { kind: 'topics whose texts its constants were chosen by', scripts: RECORDINGS },
    { kind: 'other topics', scripts: HELD_OUT },
  ])('are found in nine of ten cases for $kind', ({ scripts }) => {
    const recordings = recordAll(scripts)
    const wrong = recordings.flatMap(listWrong)
    const count = recordings.reduce((sum, { steps }) => sum + steps.length, 0)
    expect(1 - wrong.length / count, wrong.join('\n')).toBeGreaterThanOrEqual(0.9)
  })

  it('are surer where they are right than where they are wrong', () => {
    const sure = { right: [] as number[], wrong: [] as number[] }
    for (const recording of recordAll([...RECORDINGS, ...HELD_OUT])) {
      for (const [id, time] of alignSteps(recording).times) {
        const truthMs = recording.truth.get(id) ?? null
        if (time === null) continue
        const isRight = truthMs !== null && Math.abs(time.startMs - truthMs) <= NEAR_MS
        sure[isRight ? 'right' : 'wrong'].push(time.confidence)
      }
    }
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    expect(mean(sure.right)).toBeGreaterThan(mean(sure.wrong) + 0.1)
  })

  it('are told apart from what only the new recording says', () => {
    const recordings = recordAll([...RECORDINGS, ...HELD_OUT]).filter(({ added }) => added.length > 0)
    const found = recordings.filter((recording) => {
      const { added } = alignSteps(recording)
      return recording.added.every((atMs) => added.some(({ startMs }) => Math.abs(startMs - atMs) <= NEAR_MS))
    })
    expect(found.length / recordings.length).toBeGreaterThanOrEqual(0.8)
  })

  it('have their place between their neighbours where nothing is said in them', () => {
    const line = (id: string, startMs: number, endMs: number, text: string) => ({ id, startMs, endMs, text })
    const [greet, grease] = ['Open the cover of the gearbox.', 'Grease the bearing with a brush.']
    const { times } = alignSteps({
      language: 'en',
      steps: [{ id: 'silent', startMs: 6_000, endMs: 8_000 }],
      before: [line('1', 0, 4_000, greet), line('2', 10_000, 14_000, grease)],
      after: [line('1', 20_000, 24_000, greet), line('2', 36_000, 40_000, grease)],
    })
    expect(times.get('silent')).toMatchObject({ startMs: 28_000, endMs: 32_000 })
  })

  it('have no place where the new recording has no speech', () => {
    const recording = { ...reRecord(RECORDINGS[0] ?? '', 1), after: [] }
    expect([...alignSteps(recording).times.values()]).toEqual(recording.steps.map(() => null))
    expect(alignSteps(recording).added).toEqual([])
  })

  it('are found in a recording of hours', () => {
    const hours = Array.from({ length: 7_000 }, (_, index) => {
      const text = `Place part ${index} beside number ${(index * 7) % 6_991} of the row.`
      return { id: `${index}`, startMs: index * 3_000, endMs: index * 3_000 + 2_500, text }
    })
    const steps = [{ id: 'late', startMs: 6_000 * 3_000, endMs: 6_020 * 3_000 }]
    const after = hours.map((line) => ({ ...line, startMs: line.startMs + 60_000, endMs: line.endMs + 60_000 }))
    const found = alignSteps({ steps, before: hours, after, language: 'en' }).times.get('late')
    expect(Math.abs((found?.startMs ?? 0) - 18_060_000)).toBeLessThan(15_000)
  })
})
