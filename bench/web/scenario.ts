import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { plantModules } from '../../e2e/plant-modules.ts'
import { withSystem } from '../../e2e/with-system.ts'
import { openBrowser, signUp, type Trainer } from '../browser.ts'
import { openCaller } from '../client.ts'
import { growthOf, mapValues, takeTurns, timeMs } from '../rounds.ts'
import { gate, inKb, inMs, logProgress, median, type Row, row, type Scenario, type Spread } from '../scenario.ts'
import { measureDashboard, measureLanding, PAGES } from './measure-pages.ts'

const CONDITIONS = {
  ...PAGES,
  /** Of the list that is typed at. */
  typedModules: 1_000,
  fewModules: 10,
  manyModules: 10_000,
  /** Pairs of calls, one to each list, one after the other. */
  callPairs: 100,
} as const

const GATES = {
  landingKbGz: 140,
  /** Of the longest task, to the same computation on the same page: 200 ms on a machine of 2020. */
  longTaskRatio: 2.5,
  apiRatio: 1.5,
} as const

/** What Core Web Vitals call good; for comparison. */
const GOOD = { lcpMs: 2_500, interactionMs: 200 } as const

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
  const many = CONDITIONS.typedModules.toLocaleString('en')
  const spread = ({ least, median: middle, most }: Spread) =>
    `${[least, middle, most].map((value) => value.toFixed(0)).join(' / ')} ms`
  const ratio = typingTaskMs.median / fixedTaskMs.median
  const typed = `${spread(typingTaskMs)}: ${ratio.toFixed(2)} × the same work below`
  return [
    row(`Dashboard with ${many} modules: LCP`, `${spread(lcpMs)} (good: ${GOOD.lcpMs} ms)`),
    row('  slowest interaction, all modules loaded', `${spread(interactionMs)} (good: ${GOOD.interactionMs} ms)`),
    gate('  longest task while the search is typed at', ratio, { atMost: GATES.longTaskRatio }, typed),
    row('  noise: the same work, again and again', spread(fixedTaskMs)),
  ]
}

function apiRows({ api }: Figures): Row[] {
  const [few, many] = [CONDITIONS.fewModules, CONDITIONS.manyModules].map((count) => count.toLocaleString('en'))
  const compared = (more: number, less: number) => `${more.toFixed(1)} ms / ${less.toFixed(1)} ms`
  const ratios = `${api.ratio.toFixed(2)}; ${few} against ${few}: ${api.noiseRatio.toFixed(2)}`
  const shown = `${compared(api.manyMs, api.fewMs)} = ${ratios}`
  return [
    gate(`First page of the list: ${many} modules against ${few}`, api.ratio, { atMost: GATES.apiRatio }, shown),
    row('  a search that finds nothing', compared(api.searchManyMs, api.searchFewMs)),
  ]
}

/** One thing after the other: side by side they would slow each other down. */
async function measureAll(browser: Browser, url: string) {
  const trainerOf = async (count: number, look: { hasPoster: boolean }): Promise<Trainer> => {
    const trainer = await signUp(browser, url)
    const modules = Array.from({ length: count }, (_, index) => ({ title: `Module number ${index}`, ...look }))
    await plantModules(url, trainer.userId, modules)
    return trainer
  }
  logProgress('trainers and their modules')
  const few = await trainerOf(CONDITIONS.fewModules, { hasPoster: true })
  const fewToo = await trainerOf(CONDITIONS.fewModules, { hasPoster: true })
  const many = await trainerOf(CONDITIONS.manyModules, { hasPoster: true })
  // There is no file behind them: what is drawn must not ask for one.
  const typing = await trainerOf(CONDITIONS.typedModules, { hasPoster: false })
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
    manyMs: page.many,
    ...growthOf(page),
    searchFewMs: search.few,
    searchManyMs: search.many,
  }
}

function openList(url: string, trainer: Trainer): (query: string) => Promise<number> {
  const caller = openCaller(url, 1)
  let token = ''
  let tokenAt = Number.NEGATIVE_INFINITY
  return async (query) => {
    if (performance.now() - tokenAt > TOKEN_MS) {
      token = await trainer.token()
      tokenAt = performance.now()
    }
    return timeMs(() => caller.ask({ path: `/api/modules?${query}`, as: token }))
  }
}

/** What a page of the app weighs, how fast it is drawn and answers, and how the list's API grows. */
export const scenario: Scenario = {
  needsBrowser: true,
  async measure({ folder }) {
    logProgress('building and starting the system')
    const browser = await openBrowser()
    const repoDir = join(import.meta.dirname, '../..')
    const figures = await withSystem({ repoDir, stateDir: folder }, (url) => measureAll(browser, url))
    await browser.close()
    const { runs, cpuSlowdown, downMbit, upMbit, latencyMs } = CONDITIONS
    const line = `processor ${cpuSlowdown} times as slow, ${downMbit} and ${upMbit} Mbit/s, ${latencyMs} ms a request`
    return {
      json: { conditions: CONDITIONS, gates: GATES, ...figures },
      table: [
        ...landingRows(figures),
        ...dashboardRows(figures),
        ...apiRows(figures),
        `\nPages: ${runs} runs, least / median / most; ${line}, nothing kept from earlier visits.`,
      ],
    }
  },
}
