import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { expect, it } from 'vitest'

/** An export has one, and a mail takes it. */
const MAX_BYTES = 60_000

it('builds the page that checks exports as one small file that may ask for nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'verify-page-'))
  try {
    const configFile = join(import.meta.dirname, '../../vite.verify.config.ts')
    await build({ configFile, logLevel: 'error', build: { outDir: folder } })
    expect(readdirSync(folder)).toEqual(['verify.html'])
    const html = readFileSync(join(folder, 'verify.html'), 'utf8')
    expect(Buffer.byteLength(html)).toBeLessThan(MAX_BYTES)
    expect(html).toMatch(/Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/)
    expect(html).not.toMatch(/(?:src|href)=|\burl\(|\bimport\(|\bfetch\(/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
