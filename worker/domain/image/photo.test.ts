import { expect, it } from 'vitest'
import { REPORT_PHOTO_MAX_BYTES } from '#contract/limits.ts'
import { readPhotoBytes } from './photo.ts'

const jpegOf = (sizeBytes: number) => {
  const bytes = new Uint8Array(sizeBytes)
  bytes.set([0xff, 0xd8, 0xff])
  return bytes
}

it('is known by its bytes, up to 150 kB', () => {
  expect(readPhotoBytes(jpegOf(REPORT_PHOTO_MAX_BYTES)).type).toBe('image/jpeg')
  expect(() => readPhotoBytes(jpegOf(REPORT_PHOTO_MAX_BYTES + 1))).toThrow('150 kB')
  expect(() => readPhotoBytes(new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toThrow('JPEG')
})
