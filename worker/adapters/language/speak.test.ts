import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_ANSWER, type TutorReply } from '#worker/ports/language-model.ts'
import { readJudgements, readSentences } from './speak.ts'

async function* stream(tokens: readonly string[]): AsyncGenerator<string> {
  yield* tokens
}

async function read(...tokens: string[]): Promise<TutorReply[]> {
  const sentences: TutorReply[] = []
  for await (const sentence of readSentences(stream(tokens))) sentences.push(sentence)
  return sentences
}

const said = (text: string, ...segments: number[]) => ({ text, segments })

describe('readSentences', () => {
  it.each<[string, TutorReply[]]>([
    ['One. [3]\nTwo. [4, 5]\n', [said('One.', 3), said('Two.', 4, 5)]],
    ['One. [3]', [said('One.', 3)]],
    ['One [3].\r\nTwo [#4][ 5 ; 6 ]', [said('One', 3), said('Two', 4, 5, 6)]],
    ['One. [3] Two. [4]', [said('One.', 3), said('Two.', 4)]],
    ['- One. [3]\n2. Two. [4-5]\n', [said('One.', 3), said('Two.', 4, 5)]],
    ['One. {one it is} [3]\nTwo. [4]', [{ ...said('One.', 3), quote: 'one it is' }, said('Two.', 4)]],
    [
      'One. { one  … is }. [3] Set {x} to 2. {x to 2} [4, 5]\n',
      [
        { ...said('One.', 3), quote: 'one  … is' },
        { ...said('Set {x} to 2.', 4, 5), quote: 'x to 2' },
      ],
    ],
    ['{one it is} [3]', []],
    ['Put [the] jack [under] it. [7]\n', [said('Put [the] jack [under] it.', 7)]],
    ['It says 5 [bar], [8, 8]\n', [said('It says 5 [bar],', 8)]],
    ['<think>Look at [1].\nHm. [2]\n</think>One. [3]', [said('One.', 3)]],
    ['Well:\nNONE\n', [NO_ANSWER]],
    ['NONE', [NO_ANSWER]],
    ['NONE: the video does not tell.', [NO_ANSWER]],
    ['The video does not tell. NONE', [NO_ANSWER]],
    ['NONE of the lamps lights. [2]', [said('NONE of the lamps lights.', 2)]],
    ['**None.**\r\n', [NO_ANSWER]],
    ['- "NONE" [1]', [NO_ANSWER]],
    ['<think>NONE</think>One. [3]', [said('One.', 3)]],
    ['None. [4]', [said('None.', 4)]],
    ['None of the nuts is loose.\nOne. [3]', [said('One.', 3)]],
    ['No source.\n\nOne. [3]\nNor here', [said('One.', 3)]],
    ['{"sentences":[{"text":"One","segmentIds":["3"]}]}', []],
    ['[3]\n', []],
    ['<think>One. [3]\n', []],
  ])('reads %j', async (text, sentences) => {
    expect(await read(text)).toEqual(sentences)
  })

  it('gives a sentence as soon as it is certain that its sources are whole', async () => {
    const given: string[] = []
    async function* tokens() {
      for (const token of ['One', '. [', '3', ']', '[4', ']', '\n', 'Two. [5] ', 'T', 'hree']) {
        given.push(token)
        yield token
      }
    }
    const seen: [string, string | undefined][] = []
    for await (const reply of readSentences(tokens()))
      seen.push([reply === NO_ANSWER ? reply : `${reply.text} ${reply.segments.join()}`, given.at(-1)])
    expect(seen).toEqual([
      ['One. 3,4', '\n'],
      ['Two. 5', 'T'],
    ])
  })

  it('reads the same however the text is split', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '\n',
        ' [',
        '3',
        ', ',
        ']',
        '.',
        ' ',
        '[12]',
        '- ',
        '<think>',
        '</think>',
        'ü',
        '👩‍🏫',
        'Loosen the nuts',
      ),
      fc.string({ maxLength: 5 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), fc.infiniteStream(fc.nat(6)), async (pieces, sizes) => {
        const text = pieces.join('')
        const tokens: string[] = []
        for (let at = 0; at < text.length; ) {
          const size = 1 + Number(sizes.next().value)
          tokens.push(text.slice(at, at + size))
          at += size
        }
        expect(await read(...tokens)).toEqual(await read(text))
      }),
      { numRuns: 500 },
    )
  })

  it('does not fill the memory with text without an end, and continues after it', async () => {
    const tokens = [...Array<string>(5_000).fill('word '), '\n', 'One. [3]\n']
    expect(await read(...tokens)).toEqual([said('One.', 3)])
  })
})

describe('readJudgements', () => {
  it.each<[string, number[]]>([
    ['1 yes\n2 no\n3 yes', [1, 3]],
    ['1. Yes\r\n**2**: NO\n3) yes, it says so', [1, 3]],
    ['<think>1 yes\n2 yes</think>\n2 no', []],
    ['1 yes\n1 no\n2 yes', [2]],
    ['yes', []],
    ['1 yesterday', []],
    ['Answer 1 yes', []],
    ['', []],
  ])('readJudgements of %j are the sentences %j', (said, followed) => {
    expect([...readJudgements(said)]).toEqual(followed)
  })
})
