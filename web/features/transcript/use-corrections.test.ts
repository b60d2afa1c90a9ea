import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findOtherPlaces, findReplacements } from './use-corrections.ts'

const line = (id: string, text: string) => ({ id, start: 0, end: 1, text, confidence: null, isEdited: false })
const placesOf = (texts: string[], from: string, to: string) =>
  findOtherPlaces(
    texts.map((text, index) => line(`l${index}`, text)),
    { from, to },
    'none',
  ).map((place) => place.text)

describe('findReplacements', () => {
  test.each([
    ['open cooper netties now', 'open Kubernetes now', [['cooper netties', 'Kubernetes']]],
    ['Open cooper netties.', 'Open Kubernetes.', [['cooper netties', 'Kubernetes']]],
    ['the sea sharp file', 'the C# file', [['sea sharp', 'C#']]],
    [
      'a red and a blue one',
      'a green and a black one',
      [
        ['red', 'green'],
        ['blue', 'black'],
      ],
    ],
    ['is it on', 'it is on', []],
    ['save the file', 'Save the file', []],
    ['save the file', 'save the file please', []],
    ['it is an old one', 'he is an old one', []],
    ['one two three four five', 'six seven eight nine ten', []],
  ])('findReplacements from "%s" to "%s"', (before, after, replacements) => {
    expect(findReplacements(before, after).map(({ from, to }) => [from, to])).toEqual(replacements)
  })
})

describe('findOtherPlaces', () => {
  test('finds whole words in any case, over any blanks, and keeps the capital that begins a line', () => {
    const texts = [
      'Cooper netties is here',
      'the cooper  netties, and Cooper Netties',
      'cooper nettiest',
      'scooper netties',
    ]
    expect(placesOf(texts, 'cooper netties', 'kubernetes')).toEqual([
      'Kubernetes is here',
      'the kubernetes, and kubernetes',
    ])
  })

  test('matches special characters literally', () => {
    expect(placesOf(['use c++ (beta)', 'use cxx'], 'c++', 'Rust $1')).toEqual(['use Rust $1 (beta)'])
    expect(placesOf(['日本語 です'], '日本語', '英語')).toEqual(['英語 です'])
  })

  test('leaves out the line that was corrected', () => {
    const lines = [line('a', 'red'), line('b', 'red')]
    expect(findOtherPlaces(lines, { from: 'red', to: 'green' }, 'a').map((place) => place.segment.id)).toEqual(['b'])
  })

  test('never fails, and leaves nothing of the words behind', () => {
    const word = fc.string({ minLength: 3, maxLength: 6 }).filter((text) => text.trim() !== '')
    fc.assert(
      fc.property(word, fc.array(word), (from, texts) => {
        for (const text of placesOf(texts, from.trim(), 'qqq'))
          expect(text).toContain(text === '' ? '' : 'qqq'.slice(1))
      }),
    )
  })
})
