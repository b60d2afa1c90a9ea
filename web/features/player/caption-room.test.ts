import { describe, expect, test } from 'vitest'
import { findCaptionLine } from './caption-room.tsx'

const image = { width: 1000, height: 560, scale: 1 } as const

describe('findCaptionLine', () => {
  test('begins a line, or two, above the control bar', () => {
    // 28 px of letters: a line takes 33.6 px above the bar's 72.
    expect(findCaptionLine('Press the button.', image)).toBe(81)
    expect(findCaptionLine('Press the button\nand wait.', image)).toBe(75)
  })

  test('leaves room for a long line that the browser breaks, and for larger letters', () => {
    const long = 'Press the button on the front and hold it, until the light goes out at last.'
    expect(findCaptionLine(long, image)).toBe(75)
    expect(findCaptionLine('Press the button.', { ...image, scale: 1.75 })).toBe(76)
  })

  test('stays inside a small picture', () => {
    const small = { width: 160, height: 90, scale: 1.75 } as const
    expect(findCaptionLine('Press the button on the front and hold it, until the light goes out.', small)).toBe(0)
  })
})
