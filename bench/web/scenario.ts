import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { seedModules } from '../../e2e/seed-modules.ts'
import { withSystem } from '../../e2e/with-system.ts'
import { openBrowser, signUp } from '../browser.ts'
import { gate, inKb, inMs, judgeRatio, logProgress, type Row, row, type Scenario, type Spread } from '../scenario.ts'
import { measureDashboard, measureLanding, PAGES } from './measure-pages.ts'

/** Of the list that is drawn and typed at. How calls of a list grow is `bench:scale`. */
const MODULES = 1_000

const GATES = {
  landingKbGz: 140,
  /** Of the longest task, to the same computation on the same page: 200 ms on a machine of 2020. */
  longTaskRatio: 2.5,
  /** Both are what Core Web Vitals call good. */
  lcpMs: 2_500,
  interactionMs: 200,
} as const

type Figures = Awaited<ReturnType<typeof measureAll>>

function landingRows({ landing }: Figures): Row[] {
  const { ownKbGz, ownFiles, strangerClerkKbGz, signedInClerkKbGz, signedInClerkAfterPaintMs: afterMs } = landing
  const kb = (value: number) => `${inKb(value)} gz`
  const asked = `${kb(signedInClerkKbGz)}, asked for ${inMs(afterMs)} after the first paint`
  return [
    gate('Landing page, first visit: our own JavaScript', ownKbGz, { atMost: GATES.landingKbGz }, kb),
    ...ownFiles.map(({ file, kbGz }) => row(`  ${file}`, inKb(kbGz))),
    gate("Landing page, a stranger: Clerk's scripts", strangerClerkKbGz, { atMost: 0 }, kb),
    gate("Landing page, signed in: Clerk's scripts", afterMs, { atLeast: 0 }, asked),
    row('Landing page: first paint, LCP', `${inMs(landing.firstPaintMs)}, ${inMs(landing.lcpMs)}`),
  ]
}

function dashboardRows({ dashboard }: Figures): Row[] {
  const { lcpMs, interactionMs, typingTaskMs, fixedTaskMs } = dashboard
  const many = MODULES.toLocaleString('en')
  const spread = ({ least, median: middle, most }: Spread) =>
    `${[least, middle, most].map((value) => value.toFixed(0)).join(' / ')} ms`
  const ratio = typingTaskMs.median / fixedTaskMs.median
  const typed = `${spread(typingTaskMs)}: ${ratio.toFixed(2)} × the same work below`
  const timeGate = (what: string, spreadMs: Spread, atMost: number): Row => {
    return { what, value: `${spread(spreadMs)} (≤ ${atMost} ms)`, verdict: judgeRatio(spreadMs, { atMost }) }
  }
  return [
    timeGate(`Dashboard with ${many} modules: LCP`, lcpMs, GATES.lcpMs),
    timeGate('  slowest interaction, all modules loaded', interactionMs, GATES.interactionMs),
    gate('  longest task while the search is typed at', ratio, { atMost: GATES.longTaskRatio }, typed),
    row('  noise: the same work, again and again', spread(fixedTaskMs)),
  ]
}

/** One thing after the other: side by side they would slow each other down. */
async function measureAll(browser: Browser, url: string) {
  logProgress('a trainer and their modules')
  const trainer = await signUp(browser, url)
  // There is no file behind them: what is drawn must not ask for one.
  const modules = Array.from({ length: MODULES }, (_, index) => ({ title: `Module number ${index}`, hasPoster: false }))
  await seedModules(url, trainer.userId, modules)
  logProgress(`the landing page, ${PAGES.runs} times`)
  const landing = await measureLanding(browser, url, trainer)
  logProgress(`the dashboard, ${PAGES.runs} times`)
  return { landing, dashboard: await measureDashboard(trainer) }
}

/** What a page of the app weighs, and how fast it is drawn and answers. */
export const scenario: Scenario = {
  needsBrowser: true,
  async measure({ folder }) {
    logProgress('building and starting the system')
    const browser = await openBrowser()
    const repoDir = join(import.meta.dirname, '../..')
    const figures = await withSystem({ repoDir, stateDir: folder }, (url) => measureAll(browser, url))
    await browser.close()
    const { runs, cpuSlowdown, downMbit, upMbit, latencyMs } = PAGES
    const line = `processor ${cpuSlowdown} times as slow, ${downMbit} and ${upMbit} Mbit/s, ${latencyMs} ms a request`
    return {
      json: { conditions: { ...PAGES, modules: MODULES }, gates: GATES, ...figures },
      table: [
        ...landingRows(figures),
        ...dashboardRows(figures),
        `\nPages: ${runs} runs, least / median / most; ${line}, nothing kept from earlier visits.`,
      ],
    }
  },
}
