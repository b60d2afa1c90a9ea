import { expect, it } from 'vitest'
import { formatBytes } from './format-bytes.ts'

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KB'],
  [1536, '1.5 KB'],
  [10 * 1024, '10 KB'],
  [1024 ** 2 - 1, '1.0 MB'],
  [5.25 * 1024 ** 2, '5.3 MB'],
  [3 * 1024 ** 3, '3.0 GB'],
  [2000 * 1024 ** 3, '2000 GB'],
])('%i bytes are %s', { tags: 'spec-2.18' }, (sizeBytes, text) => {
  expect(formatBytes(sizeBytes)).toBe(text)
})
