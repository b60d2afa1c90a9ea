import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeWorkFolder } from './work-folder.ts'

let inMemory: string
const made: string[] = []

beforeEach(() => {
  inMemory = join(mkdtempSync(join(tmpdir(), 'adapt-memory-')), 'shm')
  made.push(dirname(inMemory))
})

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true })
})

function make(roomBytes: number): string {
  const folder = makeWorkFolder('adapt-a-', { inMemory, roomBytes })
  made.unshift(folder)
  return dirname(folder)
}

it('lies in memory where there is room', () => {
  mkdirSync(inMemory)
  expect(make(1)).toBe(inMemory)
})

it('lies on the disk where there is too little room, or no such place', () => {
  expect(make(1)).toBe(tmpdir())
  mkdirSync(inMemory)
  expect(make(2 ** 60)).toBe(tmpdir())
})
