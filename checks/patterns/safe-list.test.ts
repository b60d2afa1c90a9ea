import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSafeList } from './safe-list.ts'

let folder: string
const pathOf = () => join(folder, 'cache', 'safe.json')

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'adapt-safe-list-'))
  const list = openSafeList(pathOf(), 'judge 1')
  list.add('/a+/u')
  list.save()
})
afterEach(() => rmSync(folder, { recursive: true }))

it('knows in the next run what was found safe, and nothing else', () => {
  const list = openSafeList(pathOf(), 'judge 1')
  expect(['/a+/u', '/a+/', '/b+/u'].filter((pattern) => list.has(pattern))).toEqual(['/a+/u'])
  expect(readdirSync(join(folder, 'cache'))).toEqual(['safe.json'])
})

it('knows nothing that another judge found safe', () => {
  expect(openSafeList(pathOf(), 'judge 2').has('/a+/u')).toBe(false)
})

it('knows nothing where what was saved cannot be read', () => {
  writeFileSync(pathOf(), '{"judgedBy":"judge 1","pat')
  expect(openSafeList(pathOf(), 'judge 1').has('/a+/u')).toBe(false)
})
