import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Step } from '#contract/step.ts'
import { idsOf, makeStep } from '#contract/testing/examples.ts'
import {
  applyChange,
  applyChanges,
  listChapter,
  moveByOne,
  moveTo,
  type StepChange,
  toSaveRequest,
} from './step-change.ts'

const LIST = ['a', 'b', 'c', 'd'].map((id, index) => makeStep(id, index * 20))
const [A, B, C] = LIST as [ReturnType<typeof makeStep>, ReturnType<typeof makeStep>, ReturnType<typeof makeStep>]

describe('applyChange', () => {
  test('edits a step in its place', () => {
    const edited = applyChange(LIST, { kind: 'replace', ids: ['b'], by: [{ ...B, title: 'Better' }] })
    expect(edited.map((step) => step.title)).toEqual(['Title a', 'Better', 'Title c', 'Title d'])
  })

  test('removes, splits and merges', () => {
    expect(idsOf(applyChange(LIST, { kind: 'replace', ids: ['b'], by: [] }))).toBe('acd')
    expect(idsOf(applyChange(LIST, { kind: 'replace', ids: ['b'], by: [B, makeStep('x', 25)] }))).toBe('abxcd')
    expect(idsOf(applyChange(LIST, { kind: 'replace', ids: ['b', 'c'], by: [B] }))).toBe('abd')
  })

  test('brings back a step that was edited and is not there any more, in its place in time', () => {
    const without = applyChange(LIST, { kind: 'replace', ids: ['b'], by: [] })
    expect(idsOf(applyChange(without, { kind: 'replace', ids: ['b'], by: [B] }))).toBe('abcd')
  })

  test('adds first, after a step, or in time', () => {
    const steps = [makeStep('x', 45)]
    expect(idsOf(applyChange(LIST, { kind: 'insert', steps, afterId: null }))).toBe('xabcd')
    expect(idsOf(applyChange(LIST, { kind: 'insert', steps, afterId: 'a' }))).toBe('axbcd')
    expect(idsOf(applyChange(LIST, { kind: 'insert', steps }))).toBe('abcxd')
    expect(idsOf(applyChange(LIST, { kind: 'insert', steps, afterId: 'gone' }))).toBe('abcxd')
    expect(idsOf(applyChange([], { kind: 'insert', steps }))).toBe('x')
    expect(idsOf(applyChange(LIST, { kind: 'insert', steps: [makeStep('x', 0)] }))).toBe('axbcd')
  })

  describe('with chapters', () => {
    const CHAPTERS = { a: 'One', b: 'One', c: 'Two', d: null } as const
    const GROUPED = LIST.map((step) => ({ ...step, chapter: CHAPTERS[step.id as 'a'] }))
    const show = (steps: readonly Step[]) => steps.map(({ id, chapter }) => `${id}:${chapter ?? ''}`).join(' ')

    test.each([
      ['down, out of its own', moveTo(GROUPED, 'b', 2), 'a:One c:Two b:Two d:'],
      ['down, into none', moveTo(GROUPED, 'c', 3), 'a:One b:One d: c:'],
      ['to the top', moveTo(GROUPED, 'c', 0), 'c:One a:One b:One d:'],
    ])('a step that is moved %s belongs where it is', (_where, change, expected) => {
      expect(show(applyChange(GROUPED, change))).toBe(expected)
    })

    test('a step that is added by its time belongs to the chapter of its moment', () => {
      const add = (start: number) => show(applyChange(GROUPED, { kind: 'insert', steps: [makeStep('x', start)] }))
      expect(add(25)).toBe('a:One b:One x:One c:Two d:')
      expect(add(65)).toBe('a:One b:One c:Two d: x:')
    })

    test('what is given back to its place is as it was', () => {
      const [first] = LIST.map((step) => ({ ...step, chapter: null }))
      const others = GROUPED.slice(1)
      expect(show(applyChange(others, { kind: 'insert', steps: first ? [first] : [], afterId: null }))).toBe(
        'a: b:One c:Two d:',
      )
    })

    test('a form that was opened before leaves its step where the list has it', () => {
      const change: StepChange = { kind: 'replace', ids: ['b'], by: [{ ...B, chapter: 'Older', title: 'Better' }] }
      expect(show(applyChange(GROUPED, change))).toBe(show(GROUPED))
    })

    test('a heading is given to the steps of a chapter from one on, and taken from them', () => {
      const rename = (id: string, title: string | null) =>
        show(applyChange(GROUPED, { kind: 'chapter', ids: listChapter(GROUPED, id), title }))
      expect(rename('a', 'First')).toBe('a:First b:First c:Two d:')
      expect(rename('b', 'Half')).toBe('a:One b:Half c:Two d:')
      expect(rename('c', null)).toBe('a:One b:One c: d:')
      expect(rename('d', 'Last')).toBe('a:One b:One c:Two d:Last')
      expect(rename('gone', 'Last')).toBe(show(GROUPED))
    })
  })

  test('removes all', () => {
    expect(applyChange(LIST, { kind: 'clear' })).toEqual([])
  })

  const position = fc.nat({ max: 3 })

  test('moves a step to every place and leaves the others in their order', () => {
    fc.assert(
      fc.property(position, position, (from, to) => {
        const id = 'abcd'[from] ?? ''
        const moved = applyChange(LIST, moveTo(LIST, id, to))
        expect(moved[to]?.id).toBe(id)
        expect(idsOf(moved).replace(id, '')).toBe('abcd'.replace(id, ''))
      }),
    )
  })

  test('gives a deleted step back to its place', () => {
    fc.assert(
      fc.property(position, (index) => {
        const step = LIST[index] ?? A
        const without = applyChange(LIST, { kind: 'replace', ids: [step.id], by: [] })
        const afterId = LIST[index - 1]?.id ?? null
        expect(applyChange(without, { kind: 'insert', steps: [step], afterId })).toEqual(LIST)
      }),
    )
  })

  test('changes nothing more when it is applied once more, as a page does while an answer comes in', () => {
    const changes = fc.oneof(
      position.map((at): StepChange => ({ kind: 'insert', steps: [makeStep('x', at * 21)] })),
      fc.tuple(position, position).map(([from, to]) => moveTo(LIST, 'abcd'[from] ?? '', to)),
      position.map((at): StepChange => ({ kind: 'replace', ids: ['abcd'[at] ?? ''], by: [] })),
      position.map((at): StepChange => ({ kind: 'chapter', ids: LIST.slice(at).map(({ id }) => id), title: 'One' })),
      fc.constant<StepChange>({ kind: 'replace', ids: ['b', 'c'], by: [B, makeStep('x', 25)] }),
    )
    fc.assert(
      fc.property(changes, (change) => {
        const once = applyChange(LIST, change)
        expect(applyChange(once, change)).toEqual(once)
      }),
    )
  })

  test('does several in a row', () => {
    const changes: StepChange[] = [moveTo(LIST, 'a', 3), { kind: 'replace', ids: ['b'], by: [] }]
    expect(idsOf(applyChanges(LIST, changes))).toBe('cda')
    expect(applyChange(LIST, { kind: 'batch', changes })).toEqual(applyChanges(LIST, changes))
  })
})

describe('moveByOne', () => {
  test('stops at both ends', () => {
    expect(moveByOne(LIST, 'a', -1)).toBeNull()
    expect(moveByOne(LIST, 'd', 1)).toBeNull()
    expect(moveByOne(LIST, 'b', -1)).toEqual({ kind: 'move', id: 'b', afterId: null })
    expect(moveByOne(LIST, 'b', 1)).toEqual({ kind: 'move', id: 'b', afterId: 'c' })
  })
})

describe('toSaveRequest', () => {
  test.each<[string, StepChange, object]>([
    ['an edit', { kind: 'replace', ids: ['c'], by: [C] }, { action: 'update', stepIndex: 2 }],
    ['a deletion', { kind: 'replace', ids: ['c'], by: [] }, { action: 'delete', stepIndex: 2 }],
    ['an addition', { kind: 'insert', steps: [makeStep('x', 21)] }, { action: 'add', stepIndex: 2 }],
    ['a move', moveTo(LIST, 'a', 2), { action: 'reorder', stepIndex: 2 }],
  ])('names %s', (_what, change, expected) => {
    expect(toSaveRequest(LIST, change)).toMatchObject(expected)
  })

  test('names no action where several steps change', () => {
    const { steps, ...rest } = toSaveRequest(LIST, { kind: 'replace', ids: ['a', 'b'], by: [A] })
    expect(steps).toHaveLength(3)
    expect(rest).toEqual({})
  })

  test('sends the transcript of a step only where the server does not have it', () => {
    const change: StepChange = { kind: 'insert', steps: [makeStep('x', 21)] }
    const texts = toSaveRequest(LIST, change).steps.map((step) => step.originalText)
    expect(texts).toEqual([undefined, undefined, 'What is said in x.', undefined, undefined])
  })
})
