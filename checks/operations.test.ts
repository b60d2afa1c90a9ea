import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FailureCode } from '#contract/module.ts'

const page = readFileSync('docs/operations.md', 'utf8')
const sources = readdirSync('worker', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => readFileSync(join('worker', name), 'utf8'))

/** Names of lines: where one is written, and the two that a request's line may have. */
function listEvents(): string[] {
  const written = sources.flatMap((text) => [
    ...text.matchAll(/logLine\(\s*[^,]+,\s*'(\w+)'/g),
    ...text.matchAll(/\bevent: '(\w+)'/g),
  ])
  return [...new Set(written.map(([, event = '']) => event))]
}

/** Fields of the interfaces that a line is made of. */
function listFields(): string[] {
  const texts = ['worker/log/log.ts', 'worker/log/log.ts'].map((path) => readFileSync(path, 'utf8'))
  return texts.flatMap((text) => [...text.matchAll(/^ {2}(\w+)\?: /gm)].map(([, field = '']) => field))
}

it('the page for operators names every event that the worker writes', () => {
  expect(listEvents().length).toBeGreaterThan(25)
  const unnamed = listEvents().filter((event) => !page.includes(`"${event}"`) && !page.includes(`\`${event}\``))
  expect(unnamed).toEqual([])
})

it('the page for operators asks for nothing that no line says', () => {
  const events = new Set(listEvents())
  const asked = [...page.matchAll(/\.event == "(\w+)"/g)].map(([, event = '']) => event)
  expect(asked.filter((event) => !events.has(event))).toEqual([])
  const fields = new Set([...listFields(), 'level', 'event'])
  const filtered = [...page.matchAll(/`[^`\n]*(?<![\w/\]])\.(\w+) [=!>]= /g)].map(([, field = '']) => field)
  expect(filtered.length).toBeGreaterThan(20)
  expect(filtered.filter((field) => !fields.has(field))).toEqual([])
})

it('the page for operators explains every field', () => {
  const table = page.slice(page.indexOf('## Fields'))
  expect(listFields().filter((field) => !table.includes(`\`${field}\``))).toEqual([])
})

it('the page for operators says of every code of a failed module what happened, whether a new try helps, and who can act', () => {
  const section = /### What does the code of a failed module mean\?\n([\s\S]*?)\n### /.exec(page)?.[1] ?? ''
  const rows = section.split('\n').map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  const explained = rows
    .filter((cells) => cells.length === 6 && cells.slice(1, 5).every((cell) => cell !== ''))
    .flatMap(([, codes = '']) => [...codes.matchAll(/`(\w+)`/g)].map(([, code = '']) => code))
  expect(explained.toSorted()).toEqual(FailureCode.options.toSorted())
})
