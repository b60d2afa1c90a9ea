import { expect, it } from 'vitest'
import { showTests, writeMarkdown } from './report.ts'

it('shows how the tests of each row ended, those that did not run, and the reasons', () => {
  const rows = [
    { tag: 'fault-1', text: 'A video | is lost', limit: 'one a day', untested: ['only hosted: a lost bucket'] },
    { tag: 'threat-2', text: 'A guess', see: 'API1' },
  ]
  const source = { file: 'worker/a.test.ts', title: 'keeps %s' }
  const tagged = [
    { tag: 'fault-1', ...source },
    { tag: 'fault-1', file: 'e2e/b.spec.ts', title: 'is shown' },
  ]
  const ran = (title: string, tags: string[]) => ({ ...source, title, tags, outcome: 'passed' as const, tookMs: 1 })
  const reported = [ran('keeps one', ['fault-1']), ran('keeps two', ['fault-1']), ran('is another', ['fault-3'])]
  const shown = showTests([{ title: 'Upload', about: ['What is sent.'], rows }], tagged, reported)
  expect(writeMarkdown(shown)).toBe(`# What Adapt promises, and the tests that show it

## Upload

What is sent.

| Tag | Promise | Shown by |
|---|---|---|
| fault-1 | A video \\| is lost<br>Limit: one a day | passed: \`worker/a.test.ts\` › keeps one<br>passed: \`worker/a.test.ts\` › keeps two<br>not run: \`e2e/b.spec.ts\` › is shown<br>only hosted: a lost bucket |
| threat-2 | A guess<br>API1 |  |
`)
})
