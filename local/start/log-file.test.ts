import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openLogFile, withErrorsShown } from './log-file.ts'

it('begins empty, begins again when it is full, and ignores what comes after its end', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'adapt-log-'))
  const path = join(dir, 'a.log')
  await writeFile(path, 'of an earlier run')
  const log = openLogFile(path, 10)
  log.write('eleven – 11')
  expect(await readFile(path, 'utf8')).toBe('eleven – 11\n')
  log.write('next')
  expect(await readFile(path, 'utf8')).toBe('(older lines were dropped)\nnext\n')
  log.close()
  log.write('too late')
  expect(await readFile(path, 'utf8')).toBe('(older lines were dropped)\nnext\n')
  await rm(dir, { recursive: true })
})

const mark = (kind: string, text: string) =>
  `\u001b[31m✘ \u001b[41;31m[\u001b[41;97m${kind}\u001b[41;31m]\u001b[0m ${text}`

it('logs everything without colours, and shows errors with the lines that follow them', () => {
  const logged: string[] = []
  const shown: string[] = []
  const log = { path: 'worker.log', write: (line: string) => logged.push(line), close: () => {} }
  const onLine = withErrorsShown(log, (line) => shown.push(line))
  const sixLines = ['1', '2', '3', '4', '5', '6']
  const lines = [
    '[wrangler:info] Ready on http://localhost:8787',
    mark('ERROR', '{'),
    '',
    "    event: 'bug',",
    '  }',
    '[wrangler:info] GET / 200 OK (3ms)',
    'nothing to see',
    mark('ERROR', 'Address in use'),
    ...sixLines,
    'the seventh',
    mark('WARNING', 'experimental'),
    'nothing to see',
  ]
  for (const line of lines) onLine(line)
  expect(shown).toEqual([
    'Worker: {',
    "  event: 'bug',",
    '  }',
    'Worker: Address in use',
    ...sixLines.map((line) => `  ${line}`),
  ])
  expect(logged).toHaveLength(lines.length)
  expect(logged[7]).toBe('✘ [ERROR] Address in use')
})
