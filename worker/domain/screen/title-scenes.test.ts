import { describe, expect, it } from 'vitest'
import type { ScreenBlock } from '#contract/screen.ts'
import { titleScene } from './title-scenes.ts'

function block(text: string, startS: number, fields: Partial<ScreenBlock> & { y?: number; height?: number } = {}) {
  const { y = 0.5, height = 0.02, ...others } = fields
  const box = { x: 0.1, y, width: 0.2, height }
  return {
    text,
    startMs: startS * 1_000,
    endMs: startS * 1_000 + 5_000,
    box,
    kind: 'label',
    confidence: 1,
    ...others,
  } as const
}

const SCENE = { startMs: 20_000, endMs: 50_000 }

describe('titleScene', () => {
  it('takes the largest new line, of several of a size the topmost', () => {
    const blocks = [
      block('Cancel', 21, { y: 0.9 }),
      block('Margins', 21, { y: 0.4, height: 0.038 }),
      block('Page  setup', 21, { y: 0.1, height: 0.04 }),
      block('Layout', 30, { height: 0.08 }),
    ]
    expect(titleScene(SCENE, blocks)).toBe('Page setup')
  })

  it('leaves out what was shown before, what is too long and what is no word', () => {
    const blocks = [
      block('LibreOffice', 2, { height: 0.1 }),
      block('LibreOffice', 22, { height: 0.1 }),
      block('12:30', 22, { height: 0.1 }),
      block('x'.repeat(61), 22, { height: 0.1 }),
      block('Export as PDF', 22),
    ]
    expect(titleScene(SCENE, blocks)).toBe('Export as PDF')
  })

  it('takes what comes later, and a command, only where nothing else is new', () => {
    const command = block('ls -la', 21, { kind: 'command', height: 0.1 })
    expect(titleScene(SCENE, [command, block('Files', 40)])).toBe('Files')
    expect(titleScene(SCENE, [command])).toBe('ls -la')
    expect(titleScene(SCENE, [block('Files', 2), block('Other', 60)])).toBeNull()
  })
})
