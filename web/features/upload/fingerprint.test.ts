import { expect, it } from 'vitest'
import { readFingerprint } from './fingerprint.ts'

const SIZE_BYTES = 200 * 1024
const make = (change: { name?: string; lastModified?: number; at?: number; sizeBytes?: number } = {}) => {
  const { name = 'talk.mp4', lastModified = 1_000, at, sizeBytes = SIZE_BYTES } = change
  const bytes = new Uint8Array(sizeBytes)
  if (at !== undefined) bytes[at] = 1
  return new File([bytes], name, { lastModified })
}

it('is the same for the same file, and fits the contract', async () => {
  const fingerprint = await readFingerprint(make())
  expect(await readFingerprint(make())).toBe(fingerprint)
  expect(fingerprint).toMatch(/^[\da-f]{64}$/)
})

it.each([
  ['name', { name: 'other.mp4' }],
  ['date', { lastModified: 1_001 }],
  ['size', { sizeBytes: SIZE_BYTES + 1 }],
  ['content, though name, size and date are the same', { at: 64 * 1024 - 1 }],
])('distinguishes files by their %s', async (_what, change) => {
  expect(await readFingerprint(make(change))).not.toBe(await readFingerprint(make()))
})
