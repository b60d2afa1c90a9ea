import { describe, expect, it } from 'vitest'
import type { ScreenBlock, ScreenKind } from '#contract/screen.ts'
import { makeBlock } from '#contract/testing/examples.ts'
import { joinCommands, listCommands } from './step-commands.ts'

const block = (text: string, startMs: number, kind: ScreenKind = 'command', y = 0.5) =>
  makeBlock(text, startMs, { kind, box: { x: 0, y, width: 0.2, height: 0.02 } })

const RANGE = { startMs: 10_000, endMs: 20_000 }
const textsOf = (blocks: ScreenBlock[]) => listCommands(blocks, RANGE).map(({ text }) => text)

describe('listCommands', () => {
  it('lists commands and code that come in the range, in order of time and then from the top', () => {
    const blocks = [
      block('return x', 15_000, 'code', 0.6),
      block('def f(x):', 15_000, 'code', 0.4),
      block('ls -a', 10_000),
      block('early', 9_999),
      block('late', 20_000),
      block('File', 12_000, 'label'),
      block('Hello.', 12_000, 'other'),
    ]
    expect(listCommands(blocks, RANGE)).toEqual([
      { kind: 'command', text: 'ls -a', startMs: 10_000 },
      { kind: 'code', text: 'def f(x):', startMs: 15_000 },
      { kind: 'code', text: 'return x', startMs: 15_000 },
    ])
  })

  it('has each text once and to the character', () => {
    const text = 'grep -rn "<b>"  . '
    expect(textsOf([block(text, 11_000), block(text, 12_000), block('GREP', 13_000)])).toEqual([text, 'GREP'])
  })

  it('has eight at most, and leaves out code before commands', () => {
    const code = Array.from({ length: 8 }, (_, n) => block(`x = ${n}`, 10_000 + n, 'code'))
    const commands = Array.from({ length: 6 }, (_, n) => block(`ls ${n}`, 11_000 + n))
    expect(textsOf([...code, ...commands])).toEqual(['x = 0', 'x = 1', ...commands.map(({ text }) => text)])
  })
})

describe('joinCommands', () => {
  it('keeps what a step has, and adds what is new as far as there is room', () => {
    const own = Array.from({ length: 7 }, (_, n) => ({ kind: 'command' as const, text: `own ${n}`, startMs: n }))
    const others = [own[0], { kind: 'code', text: 'new', startMs: 3 }, { kind: 'code', text: 'left', startMs: 4 }]
    const joined = joinCommands(own, others as typeof own)
    expect(joined).toHaveLength(8)
    expect(joined.map(({ text }) => text)).toEqual(expect.arrayContaining([...own.map(({ text }) => text), 'new']))
    expect(joined.map(({ startMs }) => startMs)).toEqual([0, 1, 2, 3, 3, 4, 5, 6])
  })
})
