import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openLogFile } from './log-file.ts'

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
