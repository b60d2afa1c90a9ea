import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { listProcesses, openProcesses, type Processes } from './processes.ts'
import { SPEECH_RESTARTS_MAX, startSpeech } from './speech-process.ts'

const STARTS_WITHIN_MS = 60_000
const repoDir = resolve(import.meta.dirname, '../..')

let stateDir: string
let processes: Processes
let lines: string[]
let baseUrl: string

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'adapt-speech-process-'))
  processes = openProcesses(() => undefined)
  lines = []
  // What it lacks on this machine is said too.
  const show = (line: string) => void (line.startsWith('Speech recognition has stopped') && lines.push(line))
  const env = { ...process.env, ADAPT_WHISPER: 'off', ADAPT_NO_INSTALL: '1' }
  baseUrl = await startSpeech({ config: { repoDir, stateDir, env }, processes, show })
}, STARTS_WITHIN_MS)

afterEach(async () => {
  await processes.stopAll()
  await rm(stateDir, { recursive: true })
})

function pidOf(): number | undefined {
  return listProcesses().find(({ command }) => command.includes('serve-speech.ts') && command.includes(stateDir))?.pid
}

async function isWell(): Promise<boolean> {
  const answer = await fetch(new URL('/health', baseUrl)).catch(() => null)
  return answer?.ok === true
}

/** Kills it, as the system does when memory is short. */
function kill(): void {
  process.kill(pidOf() ?? Number.NaN, 'SIGKILL')
}

it(
  'starts again at the same address after a crash, and says so',
  async () => {
    expect(await isWell()).toBe(true)
    kill()
    await expect.poll(() => lines, { timeout: STARTS_WITHIN_MS }).toHaveLength(1)
    expect(lines[0]).toMatch(
      /^Speech recognition has stopped by itself \(it was killed\) and is started again \(1 of 5\)/,
    )
    expect(lines[0]).toContain(join(stateDir, 'speech.log'))
    await expect.poll(isWell, { timeout: STARTS_WITHIN_MS }).toBe(true)
  },
  2 * STARTS_WITHIN_MS,
)

it(
  'is given up after five restarts, with what that means',
  async () => {
    for (let crashes = 1; crashes <= SPEECH_RESTARTS_MAX + 1; crashes += 1) {
      await expect.poll(pidOf, { timeout: STARTS_WITHIN_MS }).toBeDefined()
      kill()
      await expect.poll(() => lines, { timeout: STARTS_WITHIN_MS }).toHaveLength(crashes)
    }
    expect(lines.at(-1)).toMatch(/too often: videos need captions until Adapt is started again/)
    expect(pidOf()).toBeUndefined()
  },
  6 * STARTS_WITHIN_MS,
)

it('is not started again when the run ends', async () => {
  await processes.stopAll()
  expect(lines).toEqual([])
  expect(pidOf()).toBeUndefined()
})
