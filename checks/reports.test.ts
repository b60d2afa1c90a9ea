import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readReports, UNIT_RUNS } from './reports.ts'

it('reads files, titles, tags and outcomes of all runners', () => {
  const root = mkdtempSync(join(tmpdir(), 'adapt-reports-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const folder = join(root, 'test-results')
  mkdirSync(folder)
  const write = (name: string, report: unknown) => writeFileSync(join(folder, name), JSON.stringify(report))
  expect(readReports(root, { allowMissing: true })).toEqual([])
  expect(() => readReports(root)).toThrow(UNIT_RUNS[0]?.report)

  const passed = { status: 'passed', fullName: 'a run ends once', tags: ['fault-8'], duration: 4 }
  const units = { testResults: [{ name: join(root, 'worker/a.test.ts'), assertionResults: [passed] }] }
  UNIT_RUNS.forEach(({ report }, index) => write(report, index === 0 ? units : { testResults: [] }))
  const specs = [{ title: 'opens', tags: ['spec-2.1'], tests: [{ status: 'unexpected', results: [{ duration: 5 }] }] }]
  const group = { file: 'b.spec.ts', title: 'on a phone', specs }
  write('e2e.json', { suites: [{ file: 'b.spec.ts', title: 'b.spec.ts', specs: [], suites: [group] }] })
  expect(readReports(root)).toEqual([
    { file: 'worker/a.test.ts', title: 'a run ends once', tags: ['fault-8'], outcome: 'passed', tookMs: 4 },
    {
      file: 'e2e/b.spec.ts',
      title: 'b.spec.ts on a phone opens',
      tags: ['spec-2.1'],
      outcome: 'failed',
      tookMs: 5,
    },
  ])
})
