import { describe, expect, it } from 'vitest'
import type { ScreenBlock, ScreenKind } from '#contract/screen.ts'
import { listRows } from './screen-rows.ts'

interface Place {
  x?: number
  y?: number
  startS?: number
  endS?: number
  kind?: ScreenKind
}

function block(text: string, { x = 0.1, y = 0.1, startS = 0, endS = 60, kind = 'label' }: Place = {}): ScreenBlock {
  const box = { x, y, width: 0.15, height: 0.03 }
  return { text, startMs: startS * 1_000, endMs: endS * 1_000, box, kind, confidence: 0.9 }
}

const textsOf = (blocks: readonly ScreenBlock[]) => listRows(blocks).map(({ rows }) => rows.map(({ text }) => text))

describe('listRows', () => {
  it('puts a value behind its label, and tells which one was replaced', () => {
    const rows = listRows([
      block('Port:'),
      block('143', { x: 0.4, endS: 20 }),
      block('993', { x: 0.4, startS: 21 }),
      block('Server:', { y: 0.2 }),
    ])
    const ports = rows.filter(({ rows: [row] }) => row?.text.startsWith('Port'))
    expect(ports.map(({ rows: [row], isReplaced }) => [row?.text, row?.startMs, isReplaced])).toEqual([
      ['Port: 143', 0, true],
      ['Port: 993', 21_000, false],
    ])
  })

  it('puts a command above each line of its output, up to the next command', () => {
    const blocks = [
      block('type ps', { x: 0.4, kind: 'command' }),
      block('ps is /bin/ps', { y: 0.14, startS: 1 }),
      block('clear', { x: 0.4, y: 0.18, startS: 5, kind: 'command' }),
      block('other', { y: 0.22, startS: 6 }),
    ]
    expect(textsOf(blocks)).toContainEqual(['type ps', 'ps is /bin/ps'])
    expect(textsOf(blocks)).not.toContainEqual(['type ps', 'other'])
    expect(
      listRows(blocks)
        .find(({ isOutput }) => isOutput)
        ?.rows.at(-1)?.startMs,
    ).toBe(1_000)
  })

  it('puts a heading above the lines beneath it, and nothing above what is elsewhere', () => {
    const blocks = [
      block('Exit status:'),
      block('0 if OK', { y: 0.14 }),
      block('2 if serious', { y: 0.18 }),
      block('Far away', { y: 0.8 }),
      block('Aside', { x: 0.6, y: 0.22 }),
    ]
    expect(textsOf(blocks).filter(({ length }) => length === 2)).toEqual([
      ['Exit status:', '0 if OK'],
      ['Exit status:', '2 if serious'],
    ])
  })

  it('tells a row that is filled from left to right or from right to left from what it becomes', () => {
    const rows = listRows([
      block('Name:'),
      block('example', { x: 0.7, startS: 5 }),
      block('harbour', { x: 0.4, startS: 9 }),
    ])
    const names = rows.filter(({ rows: [row] }) => row?.text.startsWith('Name'))
    expect(names.map(({ rows: [row], isReplaced }) => [row?.text, isReplaced])).toEqual([
      ['Name:', true],
      ['Name: example', true],
      ['Name: harbour example', false],
    ])
  })

  it('puts nothing together that is not visible together', () => {
    expect(textsOf([block('Port:', { endS: 5 }), block('993', { x: 0.4, startS: 6 })])).toEqual([['Port:'], ['993']])
  })
})
