import { expect, it } from 'vitest'
import { ReadStatus } from './module.ts'

it.each([
  ['PROCESSING', 'PROCESSING'],
  ['processing', 'PROCESSING'],
  ['READY', 'READY'],
  ['ready', 'READY'],
  ['COMPLETED', 'READY'],
  ['completed', 'READY'],
  ['FAILED', 'FAILED'],
  ['failed', 'FAILED'],
])('reads the status %s as %s', (written, status) => {
  expect(ReadStatus.parse(written)).toBe(status)
})
