import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeStep, makeVersionContent } from '../testing/examples.ts'
import { compareVersions } from './compare-versions.ts'

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id, index) => makeStep(id, index * 10)) as [
  ReturnType<typeof makeStep>,
  ReturnType<typeof makeStep>,
  ReturnType<typeof makeStep>,
  ReturnType<typeof makeStep>,
]
const BEFORE = makeVersionContent([a, b, c])

const changesOf = (steps: Parameters<typeof makeVersionContent>[0], change = {}) =>
  compareVersions(BEFORE, makeVersionContent(steps, change))

describe('compareVersions', () => {
  it('finds nothing between equal versions', () => {
    expect(changesOf([a, b, c])).toMatchObject({ isEmpty: true, steps: [], title: null })
  })

  it('finds nothing between versions whose fields stand in another order', () => {
    const content = makeVersionContent([a], { video: { etag: 'e', sizeBytes: 1 } })
    const turned = Object.fromEntries(Object.entries(a).toReversed()) as typeof a
    const other = makeVersionContent([turned], { video: { sizeBytes: 1, etag: 'e' } })
    expect(compareVersions(content, other).isEmpty).toBe(true)
  })

  it('finds steps that were added, removed and reworded', () => {
    const { steps, isEmpty } = changesOf([a, { ...c, title: 'Tighten it' }, d])
    expect(isEmpty).toBe(false)
    expect(steps.map(({ id, kind, fields }) => [id, kind, fields])).toEqual([
      ['b', 'removed', []],
      ['c', 'changed', ['title']],
      ['d', 'added', []],
    ])
  })

  it('calls one step moved, not all that it passes', () => {
    const { steps } = changesOf([c, a, b])
    expect(steps).toMatchObject([{ id: 'c', isMoved: true, fields: [], before: { number: 3 }, after: { number: 1 } }])
  })

  it('sees another image under the same name', () => {
    const withImage = { ...a, image: 'step-0' }
    const before = makeVersionContent([withImage], { images: { 'step-0': 'x' } })
    const after = makeVersionContent([withImage], { images: { 'step-0': 'y' } })
    expect(compareVersions(before, after).steps).toMatchObject([{ id: 'a', fields: ['image'] }])
    const wide = makeVersionContent([withImage], { images: { 'step-0': 'x', 'step-0-1600w': 'z' } })
    expect(compareVersions(before, wide).steps).toMatchObject([{ id: 'a', fields: ['image'] }])
  })

  it('names any field of a step that differs, whichever it is', () => {
    const shown = { ...a, commands: [{ kind: 'command' as const, text: 'ls -l', startMs: 0 }] }
    expect(changesOf([shown, b, c]).steps).toMatchObject([{ id: 'a', fields: ['commands'] }])
  })

  it('names another part of the picture to look at', () => {
    const marked = { ...a, focus: { x: 10, y: 20, width: 40, height: 40 } }
    expect(changesOf([marked, b, c]).steps).toMatchObject([{ id: 'a', fields: ['focus'] }])
  })

  it('says what else differs', () => {
    const hash = '0'.repeat(64)
    expect(changesOf([a, b, c], { captions: hash })).toMatchObject({ isTranscriptChanged: true, isEmpty: false })
    expect(changesOf([a, b, c], { video: null })).toMatchObject({ isVideoChanged: true, isEmpty: false })
    expect(changesOf([a, b, c], { notes: [{ stepId: 'a', text: 'x' }] })).toMatchObject({ isMoreChanged: true })
    expect(changesOf([a, b, c], { cuts: [[1, 2]] })).toMatchObject({ isMoreChanged: true, isEmpty: false })
    expect(changesOf([a, b, c], { screen: hash })).toMatchObject({ isMoreChanged: true, isEmpty: false })
    const translations = { es: { page: hash, captions: null } }
    expect(changesOf([a, b, c], { translations })).toMatchObject({ languages: ['es'], isEmpty: false })
  })

  it('says which answers stand in print otherwise', () => {
    const answer = { id: 'q', question: 'How tight?', text: 'Hand-tight.', stepId: null, stepsHash: 'x', answeredAt: 1 }
    const changes = changesOf([a, b, c], { answers: [answer] })
    expect(changes).toMatchObject({ answers: { before: '', after: 'How tight? Hand-tight.' }, isEmpty: false })
  })

  it('says that an answer is about another step, or was confirmed again', () => {
    const answer = { id: 'q', question: 'How?', text: 'By hand.', stepId: 'a', stepsHash: 'x', answeredAt: 1 }
    const withAnswer = (change = {}) => makeVersionContent([a, b, c], { answers: [{ ...answer, ...change }] })
    const isAboutOthers = (change: object) => compareVersions(withAnswer(), withAnswer(change)).areAnswersAboutOthers
    expect(isAboutOthers({ stepId: 'b' })).toBe(true)
    expect(isAboutOthers({ stepsHash: 'y' })).toBe(true)
    expect(isAboutOthers({ text: 'By foot.' })).toBe(false)
    expect(compareVersions(withAnswer(), withAnswer()).isEmpty).toBe(true)
  })

  it('accounts for every step in any two orders, and leaves those in place that keep their order', () => {
    const order = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'))
    fc.assert(
      fc.property(order, order, (before, after) => {
        const list = (ids: string[]) => makeVersionContent(ids.map((id) => makeStep(id, 0)))
        const { steps } = compareVersions(list(before), list(after))
        const ofKind = (kind: string) => steps.filter((change) => change.kind === kind).map(({ id }) => id)
        expect(ofKind('added')).toEqual(after.filter((id) => !before.includes(id)))
        expect(ofKind('removed').toSorted()).toEqual(before.filter((id) => !after.includes(id)).toSorted())
        const moved = new Set(ofKind('changed'))
        const keeps = (ids: string[], others: string[]) => ids.filter((id) => others.includes(id) && !moved.has(id))
        expect(keeps(after, before)).toEqual(keeps(before, after))
      }),
    )
  })
})
