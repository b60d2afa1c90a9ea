import { expect, it } from 'vitest'
import { findChanges, shareOf, touches } from './changed-tiles.ts'
import { blank, fill } from './testing/draw.ts'

it('marks the tiles in which something else is shown, and none for noise', () => {
  const before = blank(64, 48)
  const after = { ...before, data: before.data.slice() }
  for (let index = 0; index < after.data.length; index += 5) after.data[index] = 230
  expect(findChanges(before, after).changed).not.toContain(1)
  fill(after, [20, 20, 4, 4], 0)
  const tiles = findChanges(before, after)
  expect([...tiles.changed]).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
  expect(touches(tiles, tiles.changed, { x: 10, y: 10, width: 10, height: 10 })).toBe(true)
  expect(touches(tiles, tiles.changed, { x: 32, y: 32, width: 10, height: 10 })).toBe(false)
  expect(shareOf(tiles, tiles.changed, { x: 0, y: 16, width: 64, height: 16 })).toBe(0.25)
})

it('takes a first frame, and one of another size, as new all over', () => {
  expect(findChanges(null, blank(32, 16)).changed).toEqual(new Uint8Array([1, 1]))
  expect(findChanges(blank(16, 16), blank(32, 16)).changed).toEqual(new Uint8Array([1, 1]))
})
