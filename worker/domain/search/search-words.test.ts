import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findPassages, makeIndex, replacePassages } from './passage-store.ts'
import { listWords, markWords, readQueryWords, writeIndexed, writeMatch, writeStepMatch } from './search-words.ts'

const foldedOf = (text: string) => listWords(text).map(({ folded }) => folded)
const markedOf = (text: string, query: string) => {
  const marked = markWords(text, readQueryWords(query))
  return marked.marks.map(([from, to]) => marked.text.slice(from, to))
}

describe('listWords', () => {
  it.each([
    ['Drück die Taste', ['druck', 'die', 'taste']],
    ['STRASSE, Straße', ['strasse', 'strasse']],
    ['Élève d’après', ['eleve', 'd', 'apres']],
    ['é as two characters', ['e', 'as', 'two', 'characters']],
    ['M8x20 (2,5 mm)', ['m8x20', '2', '5', 'mm']],
    ['Нажмите Ёлку', ['нажмите', 'елку']],
    ['ΟΔΟΣ οδός', ['οδοσ', 'οδοσ']],
    ['滤网 clean', ['滤', '网', 'clean']],
    ['a\u{1d400}b ﷺ', ['aab', 'صلىاللهعليهوسلم']],
    ['… — !', []],
  ])('finds in %j the words %j', (text, words) => {
    expect(foldedOf(text)).toEqual(words)
  })
})

describe('markWords', () => {
  it('marks words by their beginning, and short ones whole', () => {
    expect(markedOf('Descaling a descaler: no scale', 'descal')).toEqual(['Descaling', 'descaler'])
    expect(markedOf('On the machine, one', 'on')).toEqual(['On'])
  })

  it('cuts a long text around its first mark, at whole words', () => {
    const long = `${'before '.repeat(40)}the gasket sits here ${'after '.repeat(40)}`
    const { text } = markWords(long, ['gasket'])
    expect(text).toMatch(/^…(before )+the gasket sits here (after )+after…$/)
    expect(text.length).toBeLessThan(150)
    expect(markedOf(long, 'gasket')).toEqual(['gasket'])
  })

  it('marks exactly what was searched for, whatever the text is', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 400 })
    fc.assert(
      fc.property(text, fc.lorem({ maxCount: 3 }), text, (before, query, after) => {
        const words = readQueryWords(query)
        const marked = markWords(`${before} ${query} ${after}`, words)
        for (const [from, to] of marked.marks) {
          const [folded = ''] = foldedOf(marked.text.slice(from, to))
          expect(words.some((word) => folded.startsWith(word))).toBe(true)
        }
        expect(marked.marks.length).toBeGreaterThan(0)
      }),
    )
  })
})

describe('what is looked up in the index', () => {
  const CODE = 'abcdef0123'
  const search = env.SEARCH

  it('is found by the words of any text, none of which is read as an operator', async () => {
    await makeIndex(search)
    const hostile = fc.constantFrom('"', '*', 'NEAR(', ') OR (', '^', '-', '{step} :', ' AND ', ' NOT ', "'", '\0', ':')
    const word = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 6 }))
    const text = fc.array(fc.oneof(word, hostile), { maxLength: 8 }).map((parts) => parts.join(' '))
    await fc.assert(
      fc.asyncProperty(text, text, async (step, said) => {
        const words = { step: writeIndexed([CODE], step), said: writeIndexed([CODE], said) }
        const passage = { startMs: 0, step, lines: [], said: [[0, said] as [number, string]], words }
        await replacePassages(search, { moduleId: 'm', title: '', passages: [passage] })
        for (const [query, write] of [
          [step, writeStepMatch],
          [said, writeMatch],
        ] as const) {
          const wanted = readQueryWords(query)
          if (wanted.length === 0) continue
          expect(await findPassages(search, [{ match: write(CODE, wanted), limit: 9 }])).toHaveLength(1)
          expect(await findPassages(search, [{ match: write('0123abcdef', wanted), limit: 9 }])).toEqual([])
        }
      }),
      { numRuns: 60 },
    )
  })
})
