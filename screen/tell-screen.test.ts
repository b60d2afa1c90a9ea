import { describe, expect, it } from 'vitest'
import { makeRandom } from '#media/testing/random.ts'
import type { Gray } from './gray.ts'
import { isScreen } from './tell-screen.ts'
import { blank, fill, write } from './testing/draw.ts'

const [WIDTH, HEIGHT] = [320, 180]

/** A page full of text beside a dark bar. */
function drawPage(): Gray {
  const page = blank(WIDTH, HEIGHT)
  fill(page, [0, 0, 60, HEIGHT], 40)
  for (let y = 10; y < HEIGHT - 10; y += 12) write(page, 'Open the settings of the printer', { x: 70, y })
  return page
}

/** Light that falls off to one side, with the grain of a sensor. */
function seeRoom(seed: number, grain: number): Gray {
  const random = makeRandom(seed)
  const room = blank(WIDTH, HEIGHT)
  room.data.forEach((_, at) => {
    const light = 60 + (120 * (at % WIDTH)) / WIDTH
    room.data[at] = light + (random() - 0.5) * grain
  })
  return room
}

describe('isScreen', () => {
  it('knows pages full of text, and slides', () => {
    const slide = blank(WIDTH, HEIGHT, 30)
    fill(slide, [40, 40, 200, 30], 220)
    expect(isScreen([drawPage(), drawPage()])).toBe(true)
    expect(isScreen([slide])).toBe(true)
  })

  it.each([8, 16, 40])('knows what a camera sees, with a grain of %i', (grain) => {
    expect(isScreen([1, 2, 3].map((seed) => seeRoom(seed, grain)))).toBe(false)
  })

  it('goes by most of the frames: a screen recording may begin with a face', () => {
    expect(isScreen([seeRoom(1, 20), drawPage(), drawPage()])).toBe(true)
    expect(isScreen([seeRoom(1, 20), seeRoom(2, 20), drawPage()])).toBe(false)
    expect(isScreen([])).toBe(false)
  })
})
