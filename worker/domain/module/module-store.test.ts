import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldTitle } from './module-store.ts'

describe('foldTitle', () => {
  it.each([
    ['ÄRGER mit der Fräse', 'ärger MIT DER FRÄSE'],
    ['Straße', 'STRASSE'],
    ['ЗАМЕНА ФИЛЬТРА', 'замена фильтра'],
    ['ΟΔΟΣ', 'οδος'],
    ['İstanbul', 'istanbul'],
    ['A\u0308rger', 'Ärger'],
  ])('takes %s and %s for the same', (one, other) => {
    expect(foldTitle(one)).toBe(foldTitle(other))
  })

  it('changes nothing the second time', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => foldTitle(foldTitle(text)) === foldTitle(text)))
  })
})
