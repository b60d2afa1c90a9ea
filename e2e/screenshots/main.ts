// `npm run screenshots -- --out DIR`: starts Adapt, makes a person with the sample module, and takes a screenshot of
// every screen and state in light, in dark and at the width of a phone. `--url` uses a system that runs already,
// `--only` the screens whose name holds a word. `--readme` writes those of README.md instead, as WebP into docs/images.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { findFreePort } from '#local/start/preflight.ts'
import { ensureChromium, ensureTools, orEnd } from '#local/start/tools.ts'
import { takeReadmeScreenshots } from './readme-screenshots.ts'
import { takeScreenshots } from './take-screenshots.ts'

const FIRST_PORT = 18_900
const READY_WITHIN_MS = 300_000
const READY_POLL_MS = 500

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'screenshots' },
    url: { type: 'string' },
    only: { type: 'string', default: '' },
    readme: { type: 'boolean', default: false },
  },
})

/** Settles when the system answers. */
async function untilReady(address: string, system: ChildProcess): Promise<void> {
  const untilMs = Date.now() + READY_WITHIN_MS
  while (Date.now() < untilMs) {
    if (system.exitCode !== null) throw new Error('Adapt did not start; what it said is above.')
    const answer = await fetch(`${address}/api/health`).catch(() => null)
    if (answer?.ok) return
    await sleep(READY_POLL_MS)
  }
  throw new Error('Adapt did not become ready.')
}

async function withSystem(run: (address: string) => Promise<void>): Promise<void> {
  if (values.url !== undefined) return run(values.url)
  const stateDir = mkdtempSync(join(tmpdir(), 'adapt-screenshots-'))
  const port = await findFreePort(FIRST_PORT)
  const env = { ...process.env, PORT: String(port), ADAPT_STATE_DIR: stateDir }
  const system = spawn(process.execPath, ['local/start/main.mjs'], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  try {
    await untilReady(`http://localhost:${port}`, system)
    await run(`http://localhost:${port}`)
  } finally {
    if (system.exitCode === null) {
      const ended = once(system, 'exit')
      system.kill('SIGTERM')
      await ended
    }
    rmSync(stateDir, { recursive: true, force: true })
  }
}

/** WebP keeps text sharp in a fraction of the bytes of a PNG. */
function toWebp(png: string): void {
  const webp = join('docs/images', basename(png).replace(/png$/, 'webp'))
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-quality', '82', '-preset', 'text', webp])
  console.log(webp)
}

mkdirSync(values.out, { recursive: true })
if (values.readme) await orEnd(ensureTools(['ffmpeg']))
const executablePath = await orEnd(ensureChromium())
await withSystem(async (address) => {
  const browser = await chromium.launch({ executablePath })
  try {
    const { out: outDir, only } = values
    if (values.readme) for (const png of await takeReadmeScreenshots({ browser, address, outDir, only })) toWebp(png)
    else await takeScreenshots({ browser, address, outDir, only, report: console.log })
  } finally {
    await browser.close()
  }
})
