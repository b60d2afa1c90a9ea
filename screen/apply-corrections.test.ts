import { expect, it } from 'vitest'
import type { ScreenBlock, ScreenCorrection } from '#contract/screen.ts'
import { applyCorrections } from './apply-corrections.ts'

function block(text: string, startS: number): ScreenBlock {
  const box = { x: 0, y: 0, width: 0.1, height: 0.1 }
  return { text, startMs: startS * 1_000, endMs: startS * 1_000 + 3_000, box, kind: 'label', confidence: 0.9 }
}

function correct(readText: string, startS: number, fields: Partial<ScreenCorrection>): ScreenCorrection {
  const times = { startMs: startS * 1_000, endMs: startS * 1_000 + 3_000 }
  return { readText, ...times, text: null, kind: null, isHidden: false, ...fields }
}

const textsOf = (blocks: ScreenBlock[], ...corrections: ScreenCorrection[]) =>
  applyCorrections(blocks, corrections).map(({ text, kind }) => `${kind} ${text}`)

it('corrects, marks and hides the text that was meant, at its time only', () => {
  const blocks = [block('man -k directary', 10), block('Internal', 10), block('man -k directary', 60)]
  const corrections = [
    correct('man -k directary', 10, { text: 'man -k directory', kind: 'command' }),
    correct('Internal', 10, { isHidden: true }),
  ]
  expect(textsOf(blocks, ...corrections)).toEqual(['command man -k directory', 'label man -k directary'])
})

it('holds for another reading with the same text at about the same time, and for one that reads it right', () => {
  const correction = correct('man -k directary', 10, { text: 'man -k directory', kind: 'command' })
  expect(textsOf([block('man  -k directary', 11)], correction)).toEqual(['command man -k directory'])
  expect(textsOf([block('man -k directory', 11)], correction)).toEqual(['command man -k directory'])
  expect(textsOf([block('man -k director', 11)], correction)).toEqual(['label man -k director'])
  expect(textsOf([block('man -k directary', 40)], correction)).toEqual(['label man -k directary'])
})

it('takes the newest of several', () => {
  const corrections = [correct('a', 10, { text: 'new' }), correct('a', 11, { text: 'old' })]
  expect(textsOf([block('a', 10)], ...corrections)).toEqual(['label new'])
})
