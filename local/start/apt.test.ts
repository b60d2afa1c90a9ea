import { describe, expect, it } from 'vitest'
import { canInstall } from './apt.ts'
import { hasProgram } from './has-program.ts'

describe('canInstall', () => {
  it.each(['1', 'yes', 'true'])('installs nothing where ADAPT_NO_INSTALL is "%s", not even as root', (value) => {
    expect(canInstall({ ADAPT_NO_INSTALL: value })).toBe(false)
  })

  it.each([undefined, '', '0'])('installs as root on Debian where ADAPT_NO_INSTALL is %j', (value) => {
    expect(canInstall({ ADAPT_NO_INSTALL: value })).toBe(process.getuid?.() === 0 && hasProgram('apt-get'))
  })
})
