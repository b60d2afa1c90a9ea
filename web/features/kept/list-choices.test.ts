import { expect, it, vi } from 'vitest'
import { listChoices } from './list-choices.ts'

const VIDEO = { sizeBytes: 1_000, etag: '"v"', type: 'video/mp4' }
const HEVC = 'hvc1.1.6.L93.B0'

it.each([
  ['all where this browser shows both', VIDEO, 'avc1.64001f', ['small', 'original', 'none']],
  ['no original of which it shows no picture', VIDEO, HEVC, ['small', 'none']],
  ['such an original all the same where there is no small copy', null, HEVC, ['original', 'none']],
])('offers %s', (_, small, videoCodec, expected) => {
  vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockReturnValue('')
  expect(listChoices({ videos: { original: VIDEO, small }, videoCodec })).toEqual(expected)
})
