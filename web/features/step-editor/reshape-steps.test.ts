import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validateStep } from '#contract/step-editing.ts'
import { makeStep } from '#contract/testing/examples.ts'
import { mergeSteps, splitStep } from './reshape-steps.ts'

const STEP = makeStep('a', 10, { end: 40, aliases: ['lid'], notes: 'Mind the blade.', title: 'x'.repeat(99) })

const LS = { kind: 'command', text: 'ls', startMs: 19_999 } as const
const PWD = { kind: 'command', text: 'pwd', startMs: 20_000 } as const

describe('splitStep', () => {
  test('makes two halves that obey the rules wherever it succeeds', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 50, noNaN: true }), (atS) => {
        const halves = splitStep(STEP, atS, 'b')
        if ('problem' in halves) return atS < 15 || atS > 35
        const [first, second] = halves
        expect([first.id, first.start, first.end]).toEqual(['a', 10, atS])
        expect([second.id, second.start, second.end]).toEqual(['b', atS, 40])
        expect([validateStep(first), validateStep(second)]).toEqual([{}, {}])
        return true
      }),
    )
  })

  test.each([
    [9, /not inside this step/],
    [10, /not inside this step/],
    [14.9, /at least 5 seconds/],
    [35.1, /at least 5 seconds/],
    [40, /not inside this step/],
  ])('refuses at %d s', (atS, problem) => {
    expect(splitStep(STEP, atS, 'b')).toMatchObject({ problem: expect.stringMatching(problem) })
  })

  test('gives each half the commands of its time', () => {
    const halves = splitStep({ ...STEP, commands: [LS, PWD] }, 20, 'b')
    expect(halves).toMatchObject([{ commands: [LS] }, { commands: [PWD] }])
  })

  test('names the second half after the first and leaves names and notes with that', () => {
    const halves = splitStep({ ...STEP, title: 'Open the lid' }, 20, 'b')
    expect(halves).toMatchObject([{ aliases: ['lid'] }, { title: 'Open the lid (part 2)', aliases: [], notes: '' }])
  })
})

describe('mergeSteps', () => {
  test('has the commands of both in order of time, each once, unless they are too many', () => {
    const first = { ...STEP, title: 'Open', commands: [PWD] }
    const second = makeStep('b', 40, { commands: [{ ...PWD, startMs: 41_000 }, LS] })
    expect(mergeSteps(first, second)).toMatchObject({ commands: [LS, PWD] })
    const many = Array.from({ length: 8 }, (_, n) => ({ ...LS, text: `ls ${n}` }))
    const problem = 'Together they have too many commands (max 8).'
    expect(mergeSteps(first, { ...second, commands: many })).toEqual({ problem })
  })

  test('keeps what both say', () => {
    const merged = mergeSteps(STEP, makeStep('b', 40, { end: 55, aliases: ['lid', 'door'], notes: 'Slowly.' }))
    expect(merged).toMatchObject({
      id: 'a',
      start: 10,
      end: 55,
      duration: 45,
      description: 'What to do in step a. What to do in step b.',
      aliases: ['lid', 'door'],
      notes: 'Mind the blade.\n\nSlowly.',
      notesQuotable: false,
      notesEdited: true,
    })
  })

  test('goes through the pause between two steps where a person wants that', () => {
    expect(mergeSteps(STEP, makeStep('b', 130, { end: 148 }))).toMatchObject({ start: 10, end: 148, duration: 138 })
  })

  test('undoes a split', () => {
    const halves = splitStep(STEP, 20, 'b')
    if ('problem' in halves) throw new Error(halves.problem)
    expect(mergeSteps(...halves)).toEqual(STEP)
  })

  test('refuses what would break the rules', () => {
    expect(mergeSteps(STEP, makeStep('b', 40, { end: 310 }))).toMatchObject({
      problem: expect.stringMatching(/under 5 minutes/),
    })
    const long = 'y'.repeat(490)
    expect(mergeSteps(STEP, makeStep('b', 40, { description: long }))).toMatchObject({
      problem: expect.stringMatching(/descriptions/),
    })
    const aliases = Array.from({ length: 10 }, (_, index) => `n${index}`)
    expect(mergeSteps(STEP, makeStep('b', 40, { aliases }))).toMatchObject({
      problem: expect.stringMatching(/too many aliases/),
    })
  })
})
