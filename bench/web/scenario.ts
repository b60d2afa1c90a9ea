import { cpus } from 'node:os'
import type { Browser } from 'playwright-core'
import { plantModules } from '../../e2e/plant-modules.ts'
import { openBrowser, signUp, type Trainer } from '../browser.ts'
import { logProgress, median, printRows, type Row, readLoad, type Scenario, type Spread } from '../scenario.ts'
import { serveSystem } from '../serve.ts'
import { type Dashboard, type Landing, measureDashboard, measureLanding } from './measure-pages.ts'
import { CONDITIONS, GATES, GOOD } from './page.ts'

interface Figures {
  landing: Landing
  dashboard: Dashboard
  api: ListApi
}

function listRows({ landing, dashboard, api }: Figures): Row[] {
  return [...landingRows(landing), ...dashboardRows(dashboard), ...apiRows(api)]
}

function printReport(figures: Figures): void {
  printRows(listRows(figures))
  const { runs, cpuSlowdown, downMbit, upMbit, latencyMs } = CONDITIONS
  console.log(
    `\nPages: ${runs} runs, least / median / most; processor ${cpuSlowdown} times as slow, ${downMbit} and ${upMbit} Mbit/s, ${latencyMs} ms a request,\n` +
      `nothing kept from earlier visits. Load average of this machine now: ${readLoad().toFixed(1)} on ${cpus().length} cores.`,
  )
}

function landingRows(landing: Landing): Row[] {
  const { ownKbGz, strangerClerkKbGz, signedInClerkKbGz, signedInClerkAfterPaintMs } = landing
  return [
    {
      what: 'Landing page, first visit: our own JavaScript',
      value: `${kb(ownKbGz)} gz (≤ ${GATES.landingKbGz} kB)`,
      isMet: ownKbGz <= GATES.landingKbGz,
    },
    ...landing.ownFiles.map(({ file, kbGz }) => ({ what: `  ${file}`, value: kb(kbGz) })),
    {
      what: "Landing page, a stranger: Clerk's scripts",
      value: `${kb(strangerClerkKbGz)} gz (none)`,
      isMet: strangerClerkKbGz === 0,
    },
    {
      what: "Landing page, signed in: Clerk's scripts",
      value: `${kb(signedInClerkKbGz)} gz, asked for ${signedInClerkAfterPaintMs.toFixed(0)} ms after the first paint`,
      isMet: signedInClerkAfterPaintMs >= 0,
    },
    {
      what: 'Landing page: first paint, LCP',
      value: `${landing.firstPaintMs.toFixed(0)} ms, ${landing.lcpMs.toFixed(0)} ms`,
    },
  ]
}

function dashboardRows({ lcpMs, interactionMs, typingTaskMs, fixedTaskMs }: Dashboard): Row[] {
  const many = CONDITIONS.typedModules.toLocaleString('en')
  return [
    {
      what: `Dashboard with ${many} modules: LCP`,
      value: `${formatSpread(lcpMs)} ms (good: ${GOOD.lcpMs} ms)`,
    },
    {
      what: '  slowest interaction, all modules loaded',
      value: `${formatSpread(interactionMs)} ms (good: ${GOOD.interactionMs} ms)`,
    },
    {
      what: '  longest task while the search is typed at',
      value: `${formatSpread(typingTaskMs)} ms: ${(typingTaskMs.median / fixedTaskMs.median).toFixed(2)} × the same work below (≤ ${GATES.longTaskRatio})`,
      isMet: typingTaskMs.median <= GATES.longTaskRatio * fixedTaskMs.median,
    },
    { what: '  noise: the same work, again and again', value: `${formatSpread(fixedTaskMs)} ms` },
  ]
}

function apiRows({ fewMs, manyMs, ratio, noiseRatio, searchFewMs, searchManyMs }: ListApi): Row[] {
  const [few, many] = [CONDITIONS.fewModules, CONDITIONS.manyModules].map((count) => count.toLocaleString('en'))
  return [
    {
      what: `First page of the list: ${many} modules against ${few}`,
      value: `${manyMs.toFixed(1)} ms / ${fewMs.toFixed(1)} ms = ${ratio.toFixed(2)} (≤ ${GATES.apiRatio}); ${few} against ${few}: ${noiseRatio.toFixed(2)}`,
      isMet: ratio <= GATES.apiRatio,
    },
    { what: '  a search that finds nothing', value: `${searchManyMs.toFixed(1)} ms / ${searchFewMs.toFixed(1)} ms` },
  ]
}

function formatSpread({ least, median, most }: Spread): string {
  return [least, median, most].map((value) => value.toFixed(0)).join(' / ')
}

function kb(value: number): string {
  return `${value.toFixed(1)} kB`
}

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

interface ListApi {
  fewMs: number
  manyMs: number
  ratio: number
  /** The same between two lists of the few: what the measurement itself makes of no difference. */
  noiseRatio: number
  searchFewMs: number
  searchManyMs: number
}

const WARM_UPS = 20
/** Tokens are good for a minute. */
const TOKEN_MS = 30_000

/** The dashboard's first page with few and with many modules: in turns, so that the machine's moods hit all alike. */
async function measureApi(
  url: string,
  { few, fewToo, many }: Record<'few' | 'fewToo' | 'many', Trainer>,
): Promise<ListApi> {
  const lists = [openList(url, few), openList(url, many), openList(url, fewToo)] as const
  const page = await measureInTurns(lists, '/api/modules?limit=60')
  const search = await measureInTurns(lists, '/api/modules?limit=60&search=no+title+says+this')
  const [fewMs, manyMs, fewTooMs] = page
  return {
    fewMs,
    manyMs,
    ratio: manyMs / fewMs,
    noiseRatio: Math.max(fewMs, fewTooMs) / Math.min(fewMs, fewTooMs),
    searchFewMs: search[0],
    searchManyMs: search[1],
  }
}

type List = (path: string) => Promise<number>

async function measureInTurns(lists: readonly [List, List, List], path: string): Promise<[number, number, number]> {
  const times: [number[], number[], number[]] = [[], [], []]
  for (let pair = -WARM_UPS; pair < CONDITIONS.callPairs; pair += 1) {
    for (const [index, call] of lists.entries()) {
      const ms = await call(path)
      if (pair >= 0) times[index as 0 | 1 | 2].push(ms)
    }
  }
  return [median(times[0]), median(times[1]), median(times[2])]
}

function openList(url: string, trainer: Trainer): List {
  let token = ''
  let tokenAt = Number.NEGATIVE_INFINITY
  return async (path) => {
    if (performance.now() - tokenAt > TOKEN_MS) {
      token = await trainer.token()
      tokenAt = performance.now()
    }
    const startedAt = performance.now()
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return performance.now() - startedAt
  }
}

/** What a page of the app weighs, how fast it is drawn and answers, and how the list's API grows. */
export const web: Scenario<Figures> = {
  needsBrowser: true,
  async measure({ folder }) {
    logProgress('building and starting the system')
    const system = await serveSystem(folder)
    const browser = await openBrowser()
    try {
      return await measureAll(browser, system.url)
    } finally {
      await browser.close()
      await system.stop()
    }
  },
  toJson: (figures) => ({ conditions: CONDITIONS, gates: GATES, ...figures }),
  print: printReport,
  rows: listRows,
}
