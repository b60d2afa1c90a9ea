import { describe, expect, it } from 'vitest'
import { nameFolder, removeConversionsOf } from './converted-files.ts'

describe('removeConversionsOf', () => {
  it('does nothing where the browser has no storage', async () => {
    // As on a page that is not served securely.
    expect('storage' in navigator).toBe(false)
    await expect(removeConversionsOf('small-copy')).resolves.toBeUndefined()
  })
})

describe('nameFolder', () => {
  it('says since when a folder is there, and what is in it', () => {
    expect(nameFolder(12, 'small-copy')).toBe('12-small-copy')
    expect(Number.parseInt(nameFolder(12), 10)).toBe(12)
  })
})
