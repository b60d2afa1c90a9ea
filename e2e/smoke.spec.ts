import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { withMembershipRequired } from './with-system.ts'

/** Once a minute the sweep is due, which the checks wait for. */
const CHECKED_WITHIN_MS = 240_000

/** @returns what the command says */
async function smoke(address: string): Promise<string> {
  const command = ['cloud/main.ts', 'smoke', '--url', address]
  // A check that fails ends the command with 1; its line is what has to be read then.
  const run = promisify(execFile)(process.execPath, command, { timeout: CHECKED_WITHIN_MS })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  return stdout
}

test('the smoke checks pass against the running system and remove what they made', async ({ baseURL }) => {
  test.setTimeout(CHECKED_WITHIN_MS)
  const stdout = await smoke(baseURL ?? '')
  const lines = stdout.split('\n').filter((line) => /^(ok|–|FAIL)/.test(line))
  // What no machine without an account has: a commit that was deployed, and a language model.
  expect(lines.filter((line) => !line.startsWith('ok')).map((line) => line.replace(/ \(.*/, ''))).toEqual([
    expect.stringMatching(/^– {4}Version +left out: it was deployed without a commit$/),
    expect.stringMatching(/^– {4}Model, stream +left out: the tutor quoted the video: no language model answers here$/),
  ])
  expect(lines.filter((line) => line.startsWith('ok')).map((line) => line.slice(5, 21).trim())).toEqual([
    'Sign-in',
    'Upload',
    'Clocks',
    'Queue',
    'Steps',
    'Model, JSON mode',
    'Speech, M4A',
    'Speech, ADTS',
    'Speech, Ogg',
    'Speech, MP3',
    'Speech, WAV',
    'Socket',
    'Edge',
    'Rate limits',
    'Parts',
    'Cost',
    'Removed',
  ])
  expect(stdout).toMatch(/^ok +Sign-in .*, with and without an organization \(/m)
  expect(stdout).toMatch(/^ok +Speech, M4A +taken as audio\/mp4; understood: /m)
  expect(stdout).toContain('17 ok, 0 failed, 2 left out')
})

test('the smoke checks pass where Clerk requires an organization', async () => {
  test.setTimeout(2 * CHECKED_WITHIN_MS)
  await withMembershipRequired(async (baseURL) => {
    const stdout = await smoke(baseURL)
    expect(stdout).toMatch(/^ok +Sign-in .*; Clerk requires an organization \(/m)
    expect(stdout).toMatch(/^ok +Removed +the person and the module/m)
    expect(stdout).toContain('17 ok, 0 failed, 2 left out')
  })
})
