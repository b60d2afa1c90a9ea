import { describe, expect, it } from 'vitest'
import { sizeCopy } from './size-copy.ts'

describe('sizeCopy', () => {
  it.each([
    ['full HD', [1920, 1080], [1280, 720]],
    ['4K', [3840, 2160], [1280, 720]],
    ['a phone that is held upright', [1080, 1920], [720, 1280]],
    ['a screen of 4:3', [1024, 768], [960, 720]],
    ['a wide screen', [3440, 1440], [1280, 536]],
    ['a small picture, as it is', [640, 360], [640, 360]],
    ['odd sides', [853, 481], [854, 482]],
    ['a line', [4000, 1], [1280, 2]],
  ])('fits %s into 720p', (_, [width = 0, height = 0], [wide, high]) => {
    expect(sizeCopy({ width, height })).toEqual({ width: wide, height: high })
  })
})
