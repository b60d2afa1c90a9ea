import { expect, it } from 'vitest'
import { isSameLine, prepareLine } from './prepare-line.ts'
import { blank, fill, write } from './testing/draw.ts'

const BOX = { x: 18, y: 18, width: 80, height: 16 }

function darkest({ data }: { data: Uint8Array }): number {
  return Math.min(...data)
}

it('makes light text on a dark background dark on white, and enlarges it', () => {
  const dark = blank(200, 60, 30)
  write(dark, 'open it', { x: 20, y: 20, ink: 200 })
  const line = prepareLine(dark, BOX)
  expect(line?.image.data[0]).toBe(255)
  expect(darkest(line?.image ?? blank(1, 1))).toBeLessThan(40)
  expect(line?.scale).toBe(2.5)
})

it('has nothing to read in one colour', () => {
  expect(prepareLine(blank(200, 60, 128), BOX)).toBeNull()
})

it('removes the block that shows where is typed', () => {
  const plain = blank(200, 60)
  write(plain, 'ls', { x: 20, y: 20 })
  const typing = { ...plain, data: plain.data.slice() }
  fill(typing, [60, 17, 8, 18], 0)
  const box = { x: 18, y: 17, width: 52, height: 18 }
  expect(prepareLine(typing, box)?.image).toEqual(prepareLine(plain, box)?.image)
})

it('knows a line again through noise, and another one by a letter', () => {
  const read = (text: string, noise: number) => {
    const frame = blank(200, 60)
    write(frame, text, { x: 20, y: 20 })
    for (let index = 0; index < frame.data.length; index += 7) frame.data[index] = (frame.data[index] ?? 0) ^ noise
    return prepareLine(frame, BOX)?.image ?? blank(1, 1)
  }
  expect(isSameLine(read('open it', 0), read('open it', 4))).toBe(true)
  expect(isSameLine(read('open it', 0), read('open t', 0))).toBe(false)
})
