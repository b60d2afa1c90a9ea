import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { plantModules } from '../../e2e/plant-modules.ts'
import { withSystem } from '../../e2e/with-system.ts'
import { openBrowser, signUp, type Trainer } from '../browser.ts'
import { mapValues, takeTurns, timeMs } from '../rounds.ts'
import { gate, judgeRatio, logProgress, median, noiseRow, type Row, type Scenario, type Spread } from '../scenario.ts'
import { measureDashboard, measureLanding, PAGES } from './measure-pages.ts'

/** What the numbers are measured with. */
const CONDITIONS = {
  ...PAGES,
  /** Of the list that is typed at. */
  typedModules: 1_000,
  fewModules: 10,
  manyModules: 10_000,
  /** Pairs of calls, one to each list, one after the other. */
  callPairs: 100,
} as const

/** How far a figure may go. */
const GATES = {
  landingKbGz: 140,
  /** Of the longest task, to the same computation on the same page: 200 ms on a machine of 2020. */
  longTaskRatio: 2.5,
  apiRatio: 1.5,
  /** Both are what Core Web Vitals call good. */
  lcpMs: 2_500,
  interactionMs: 200,
} as const

const kb = (value: number) => `${value.toFixed(1)} kB`

function landingRows(landing: Awaited<ReturnType<typeof measureLanding>>): Row[] {
  const { ownKbGz, ownFiles, strangerClerkKbGz, signedInClerkKbGz, signedInClerkAfterPaintMs: afterMs } = landing
  const asked = `${kb(signedInClerkKbGz)} gz, asked for ${afterMs.toFixed(0)} ms after the first paint`
  const [first, largest] = [landing.firstPaintMs, landing.lcpMs].map((ms) => ms.toFixed(0))
  return [
    gate('Landing page, first visit: our own JavaScript', ownKbGz, { atMost: GATES.landingKbGz }, `${kb(ownKbGz)} gz`),
    ...ownFiles.map(({ file, kbGz }) => ({ what: `  ${file}`, value: kb(kbGz) })),
    gate("Landing page, a stranger: Clerk's scripts", strangerClerkKbGz, { atMost: 0 }, `${kb(strangerClerkKbGz)} gz`),
    gate("Landing page, signed in: Clerk's scripts", afterMs, { atLeast: 0 }, asked),
    { what: 'Landing page: first paint, LCP', value: `${first} ms, ${largest} ms` },
  ]
}

function dashboardRows(dashboard: Awaited<ReturnType<typeof measureDashboard>>): Row[] {
  const { lcpMs, interactionMs, typingTaskMs, fixedTaskMs } = dashboard
  const many = CONDITIONS.typedModules.toLocaleString('en')
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
    { what: '  noise: the same work, again and again', value: spread(fixedTaskMs) },
  ]
}

function apiRows({ fewMs, manyMs, ratio, noiseRatio, ...api }: Awaited<ReturnType<typeof measureApi>>): Row[] {
  const [few, many] = [CONDITIONS.fewModules, CONDITIONS.manyModules].map((count) => count.toLocaleString('en'))
  const compared = (more: number, less: number) => `${more.toFixed(1)} ms / ${less.toFixed(1)} ms`
  const value = `${compared(manyMs, fewMs)} = ${ratio.toFixed(2)}; ${few} against ${few}: ${noiseRatio.toFixed(2)}`
  return [
    gate(`First page of the list: ${many} modules against ${few}`, ratio, { atMost: GATES.apiRatio }, value),
    { what: '  a search that finds nothing', value: compared(api.searchManyMs, api.searchFewMs) },
  ]
}

/** One thing after the other: side by side they would slow each other down. */
async function measureAll(browser: Browser, url: string) {
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
  logProgress('trainers and their modules')
  const few = await trainerOf(CONDITIONS.fewModules)
  const fewToo = await trainerOf(CONDITIONS.fewModules)
  const many = await trainerOf(CONDITIONS.manyModules)
  const typing = await trainerOf(CONDITIONS.typedModules, 'plain')
  logProgress('calls of the list')
  const api = await measureApi(url, { few, fewToo, many })
  logProgress(`the landing page, ${CONDITIONS.runs} times`)
  const landing = await measureLanding(browser, url, few)
  logProgress(`the dashboard, ${CONDITIONS.runs} times`)
  const dashboard = await measureDashboard(typing)
  return { landing, dashboard, api }
}

const WARM_UPS = 20
/** Tokens are good for a minute. */
const TOKEN_MS = 30_000

/** The dashboard's first page with few and with many modules: in turns, so that the machine's moods hit all alike. */
async function measureApi(url: string, trainers: Record<'few' | 'fewToo' | 'many', Trainer>) {
  const lists = mapValues(trainers, (trainer) => openList(url, trainer))
  const measure = async (query: string) => {
    const rounds = { warmUps: WARM_UPS, rounds: CONDITIONS.callPairs }
    const times = await takeTurns(['few', 'many', 'fewToo'] as const, rounds, (name) => lists[name](query))
    return mapValues(times, median)
  }
  const page = await measure('limit=60')
  const search = await measure('limit=60&search=no+title+says+this')
  return {
    fewMs: page.few,
    manyMs: page.many,
    ratio: page.many / page.few,
    /** The same between two lists of the few: what the measurement itself makes of no difference. */
    noiseRatio: Math.max(page.few, page.fewToo) / Math.min(page.few, page.fewToo),
    searchFewMs: search.few,
    searchManyMs: search.many,
  }
}

function openList(url: string, trainer: Trainer): (query: string) => Promise<number> {
  let token = ''
  let tokenAt = Number.NEGATIVE_INFINITY
  return async (query) => {
    if (performance.now() - tokenAt > TOKEN_MS) {
      token = await trainer.token()
      tokenAt = performance.now()
    }
    return timeMs(async () => {
      const response = await fetch(`${url}/api/modules?${query}`, { headers: { authorization: `Bearer ${token}` } })
      await response.text()
      if (!response.ok) throw new Error(`the list answered ${response.status}`)
    })
  }
}

/** What a page of the app weighs, how fast it is drawn and answers, and how the list's API grows. */
export const scenario: Scenario = {
  needsBrowser: true,
  async measure({ folder, noise }) {
    logProgress('building and starting the system')
    const browser = await openBrowser()
    const repoDir = join(import.meta.dirname, '../..')
    const figures = await withSystem({ repoDir, stateDir: folder }, (url) => measureAll(browser, url))
    await browser.close()
    const { runs, cpuSlowdown, downMbit, upMbit, latencyMs } = CONDITIONS
    return {
      json: { conditions: CONDITIONS, gates: GATES, ...figures },
      table: [
        ...landingRows(figures.landing),
        ...dashboardRows(figures.dashboard),
        ...apiRows(figures.api),
        noiseRow(noise()),
        `\nPages: ${runs} runs, least / median / most; processor ${cpuSlowdown} times as slow, ${downMbit} and ${upMbit} Mbit/s, ${latencyMs} ms a request,\n` +
          `nothing kept from earlier visits.`,
      ],
    }
  },
}
