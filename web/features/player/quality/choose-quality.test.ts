import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseQuality, keepQuality, readQuality } from './choose-quality.ts'

const SMALL = { sizeBytes: 1_000, codec: 'avc1.64001f' }
const HEVC = 'hvc1.1.6.L93.B0'

/** jsdom's own answer is that it plays nothing. */
function playing(...begins: string[]) {
  vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockImplementation((type) =>
    begins.some((begin) => type.includes(`"${begin}`)) ? 'probably' : '',
  )
}

beforeEach(() => {
  vi.restoreAllMocks()
  localStorage.clear()
})

describe('chooseQuality', () => {
  it.each([
    ['automatic', false, 'original'],
    ['automatic', true, 'small'],
    ['small', false, 'small'],
    ['original', true, 'original'],
  ] as const)('of %s on a line that is slow: %s, it is %s', (wanted, isSlow, expected) => {
    expect(chooseQuality({ wanted, isSlow, videoCodec: null, smallCopy: SMALL })).toBe(expected)
  })

  it('plays the small copy wherever the browser shows no other picture', () => {
    playing()
    expect(chooseQuality({ wanted: 'original', isSlow: false, videoCodec: HEVC, smallCopy: SMALL })).toBe('small')
    playing('hvc1')
    expect(chooseQuality({ wanted: 'original', isSlow: false, videoCodec: HEVC, smallCopy: SMALL })).toBe('original')
  })

  it('never plays a small copy that the browser does not show', () => {
    playing()
    const smallCopy = { ...SMALL, codec: 'av01.0.05M.08' }
    expect(chooseQuality({ wanted: 'small', isSlow: true, videoCodec: null, smallCopy })).toBe('original')
  })
})

it('keeps what a viewer wants, and takes anything else for automatic', () => {
  expect(readQuality()).toBe('automatic')
  keepQuality('small')
  expect(readQuality()).toBe('small')
  keepQuality('automatic')
  expect(localStorage).toHaveLength(0)
  localStorage.setItem('adapt_quality', 'best')
  expect(readQuality()).toBe('automatic')
})
