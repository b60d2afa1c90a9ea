import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'

/** Once a minute the sweep is due, which the checks wait for twice. */
const CHECKED_WITHIN_MS = 540_000

test('the smoke checks pass against the running system and remove what they made', async ({ baseURL }) => {
  test.setTimeout(CHECKED_WITHIN_MS)
  const command = ['cloud/main.ts', 'smoke', '--url', baseURL ?? '', '--load', '2', '--idle', '5']
  // A check that fails ends the command with 1; its line is what has to be read then.
  const run = promisify(execFile)(process.execPath, command, { timeout: CHECKED_WITHIN_MS })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  const lines = stdout.split('\n').filter((line) => /^(ok|–|FAIL)/.test(line))
  // What no machine without an account has: a commit that was deployed, a catalogue, a language model, Whisper, and events
  // of a bucket.
  expect(lines.filter((line) => !line.startsWith('ok')).map((line) => line.replace(/ \(.*/, ''))).toEqual([
    expect.stringMatching(/^– {4}Version +left out: it was deployed without a commit$/),
    expect.stringMatching(/^– {4}Models +left out: no credentials: /),
    expect.stringMatching(/^– {4}Model, stream +left out: the tutor quoted the video: no language model answers here$/),
    expect.stringMatching(/^– {4}Speech, blanks +left out: no word begins with a blank: /),
    expect.stringMatching(/^– {4}Upload, event +left out: only the sweep received it, after /),
  ])
  expect(lines.filter((line) => line.startsWith('ok')).map((line) => line.slice(5, 21).trim())).toEqual([
    'Sign-in',
    'Distance',
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
    'Speech, 4 MiB',
    'Speech, minute',
    'Upload in parts',
    'Socket',
    'Edge',
    'Range',
    'Un-shared',
    'Idle socket',
    'Rate limits',
    'Parts',
    'Cost',
    'Load',
    'Removed',
  ])
  expect(stdout).toMatch(/^ok +Sign-in .*, with and without an organization \(/m)
  expect(stdout).toMatch(/^ok +Speech, M4A +taken as audio\/mp4; understood: /m)
  expect(stdout).toMatch(/^ok +Load +2 of 2 READY; median .*; 0 pieces of work were answered busy; /m)
  expect(stdout).toContain('25 ok, 0 failed, 5 left out')
})
