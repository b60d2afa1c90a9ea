import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const page = readFileSync('SECURITY.md', 'utf8')

/** Names under which pages keep something; what follows a colon says whose it is, or of what. */
function listKeys(): string[] {
  const sources = readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|js|html)$/.test(name) && !/\.test\.|^(?:build|testing)\//.test(name))
    .map((name) => readFileSync(join('web', name), 'utf8'))
  const cookies = ['routes/videos', 'http/visitor-language', 'http/link-cookie'].map((name) =>
    readFileSync(`worker/${name}.ts`, 'utf8'),
  )
  const found = [...sources, ...cookies].flatMap((text) => [...text.matchAll(/['"`](adapt_\w+|adapt-uploads\b)/g)])
  return [...new Set(found.map(([, key = '']) => key))]
}

const named = new Set([...page.matchAll(/`(adapt[_-]\w+)[^`]*`/g)].map(([, key = '']) => key))

it('the page on security names everything that a browser is asked to keep', () => {
  expect(listKeys().length).toBeGreaterThan(10)
  expect(listKeys().filter((key) => !named.has(key))).toEqual([])
})

it('the page on security names nothing that no browser is asked to keep', () => {
  const keys = new Set(listKeys())
  expect([...named].filter((key) => !keys.has(key))).toEqual([])
})
