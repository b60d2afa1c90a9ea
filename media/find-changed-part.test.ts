import { expect, test } from 'vitest'
import { findChangedPart } from './find-changed-part.ts'
import { GRID } from './find-scenes.ts'

const { columns, rows } = GRID
const MIN = 20

/** A grey picture in which the named cells are of another shade. */
function draw(isOther: (x: number, y: number) => boolean, shade = 200): Uint8Array {
  const cells = Array.from({ length: columns * rows }, (_, cell) => {
    return isOther(cell % columns, Math.floor(cell / columns)) ? shade : 90
  })
  return Uint8Array.from(cells.flatMap((value) => [value, value, value]))
}

const inBox = (x: number, y: number) => x >= 16 && x < 24 && y >= 9 && y < 14
const GREY = draw(() => false)

test('finds the part in which something happens, with a margin', () => {
  const part = findChangedPart([GREY, draw(inBox), GREY, draw(inBox)], MIN)
  expect(part).toEqual({ x: 47, y: 47, width: 31, height: 34 })
})

test('is at least as large as it has to be, and stays in the picture', () => {
  const corner = draw((x, y) => x === columns - 1 && y === 0)
  expect(findChangedPart([GREY, corner], MIN)).toEqual({ x: 80, y: 0, width: 20, height: 20 })
})

test('leaves out what seldom changes elsewhere', () => {
  const clock = draw((x, y) => inBox(x, y) || (x === 0 && y === 0))
  const part = findChangedPart([GREY, draw(inBox), GREY, clock], MIN)
  expect(part?.x).toBeGreaterThan(40)
})

test('finds none where nothing changes, where all does, and in a cut to another picture', () => {
  expect(findChangedPart([GREY, draw(inBox, 100)], MIN)).toBeNull()
  expect(findChangedPart([GREY, draw((x, y) => (x + y) % 3 === 0)], MIN)).toBeNull()
  expect(findChangedPart([GREY, draw(() => true)], MIN)).toBeNull()
  expect(findChangedPart([GREY], MIN)).toBeNull()
})
