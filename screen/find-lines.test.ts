import { expect, it } from 'vitest'
import { findLines } from './find-lines.ts'
import { blank, fill, write } from './testing/draw.ts'

it('finds words of a row as one line, and columns that are far apart as two', () => {
  const frame = blank(600, 100)
  write(frame, 'open the lid', { x: 20, y: 20 })
  write(frame, 'today', { x: 400, y: 20 })
  const lines = findLines(frame)
  expect(lines.map(({ x }) => x)).toEqual([19, 399])
  expect(lines[0]?.width).toBeGreaterThan(85)
})

it('finds light text on a dark background, and lines that are close to each other', () => {
  const frame = blank(400, 100, 20)
  write(frame, 'first line', { x: 20, y: 20, ink: 230 })
  write(frame, 'second line', { x: 20, y: 35, ink: 230 })
  expect(findLines(frame).map(({ y }) => y)).toEqual([19, 34])
})

it('finds no line in borders, in a surface, and in an empty frame', () => {
  const frame = blank(400, 200)
  expect(findLines(frame)).toEqual([])
  fill(frame, [10, 10, 300, 2], 0)
  fill(frame, [10, 10, 2, 150], 0)
  fill(frame, [100, 60, 120, 90], 90)
  expect(findLines(frame)).toEqual([])
})

it('does not join words on both sides of a border', () => {
  const frame = blank(400, 200)
  write(frame, 'cell', { x: 20, y: 60 })
  write(frame, 'next', { x: 62, y: 60 })
  expect(findLines(frame)).toHaveLength(1)
  fill(frame, [54, 0, 1, 200], 128)
  expect(findLines(frame)).toHaveLength(2)
})

it('takes a dash between words and a comma below them into the line', () => {
  const frame = blank(400, 100)
  write(frame, 'ls', { x: 20, y: 20 })
  fill(frame, [46, 26, 8, 2], 0)
  write(frame, 'a', { x: 60, y: 20 })
  fill(frame, [66, 31, 2, 3], 0)
  const [line, ...others] = findLines(frame)
  expect(others).toEqual([])
  expect(line).toMatchObject({ x: 19, y: 19 })
  expect((line?.y ?? 0) + (line?.height ?? 0)).toBeGreaterThanOrEqual(34)
})

it('cuts an icon off in front of a label', () => {
  const frame = blank(400, 100)
  for (let stripe = 0; stripe < 6; stripe++) fill(frame, [20 + stripe * 4, 16, 2, 22], 0)
  write(frame, 'documents', { x: 50, y: 21 })
  expect(findLines(frame).map(({ x }) => x)).toContain(49)
})
