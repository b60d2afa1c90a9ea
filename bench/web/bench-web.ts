import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { orEnd } from '#local/start/ensure-tools.ts'
import { ensureChromium } from '#local/start/find-chromium.ts'
import { plantModules } from '../../e2e/plant-modules.ts'
import { tell } from '../shared/tell.ts'
import { CONDITIONS, GATES } from './conditions.ts'
import { measureApi } from './measure-api.ts'
import { measureDashboard } from './measure-dashboard.ts'
import { measureLanding } from './measure-landing.ts'
import { openBrowser, signUp, type Trainer } from './open-browser.ts'
import { type Figures, printReport } from './report.ts'
import { serveSystem } from './serve-system.ts'

const { values } = parseArgs({ options: { json: { type: 'boolean' } } })
await orEnd(ensureChromium())
const stateDir = await mkdtemp(join(tmpdir(), 'adapt-bench-web-'))

/** One thing after the other: side by side they would slow each other down. */
async function measureAll(browser: Browser, url: string): Promise<Figures> {
  const trainerOf = async (count: number, look: 'pictured' | 'plain' = 'pictured'): Promise<Trainer> => {
    const trainer = await signUp(browser, url)
    const modules = Array.from({ length: count }, (_, index) => ({
      title: `Module number ${index}`,
      // There is no file behind them: what is drawn must not ask for one.
      hasPoster: look === 'pictured',
    }))
    await plantModules(url, trainer.userId, modules)
    return trainer
  }
  tell('trainers and their modules')
  const few = await trainerOf(CONDITIONS.fewModules)
  const fewToo = await trainerOf(CONDITIONS.fewModules)
  const many = await trainerOf(CONDITIONS.manyModules)
  const typing = await trainerOf(CONDITIONS.typedModules, 'plain')
  tell('calls of the list')
  const api = await measureApi(url, { few, fewToo, many })
  tell(`the landing page, ${CONDITIONS.runs} times`)
  const landing = await measureLanding(browser, url, few)
  tell(`the dashboard, ${CONDITIONS.runs} times`)
  const dashboard = await measureDashboard(typing)
  return { landing, dashboard, api }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    // The system ends with this process.
    rmSync(stateDir, { recursive: true, force: true })
    process.exit(1)
  })
}
tell('building and starting the system')
const system = await serveSystem(stateDir)
const browser = await openBrowser()
try {
  const figures = await measureAll(browser, system.url)
  if (values.json) console.log(JSON.stringify({ conditions: CONDITIONS, gates: GATES, ...figures }, null, 2))
  else if (!printReport(figures)) process.exitCode = 1
} finally {
  await browser.close()
  await system.stop()
  await rm(stateDir, { recursive: true, force: true })
}
