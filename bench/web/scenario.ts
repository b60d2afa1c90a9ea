import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { seedModules } from '../../e2e/seed-modules.ts'
import { withSystem } from '../../e2e/with-system.ts'
import { openBrowser, signUp } from '../browser.ts'
import {
  formatRatio,
  gate,
  inKb,
  inMs,
  judgeRatio,
  logProgress,
  type Row,
  row,
  type Scenario,
  type Spread,
} from '../scenario.ts'
import { measureMatrix, seedMatrix } from './measure-matrix.ts'
import { measureDashboard, measureLanding, PAGES } from './measure-pages.ts'

/** Of the list that is drawn and typed at. How calls of a list grow is `bench:scale`. */
const MODULES = 1_000
/** The largest matrix that is shown as a whole, and one of a small company. */
const MATRIX = { people: 500, trainings: 200 } as const
const SMALL_MATRIX = { people: 10, trainings: 5 } as const

const GATES = {
  landingKbGz: 140,
  /** Of the longest task, to the same computation on the same page: 200 ms on a machine of 2020. */
  longTaskRatio: 2.5,
  /** Both are what Core Web Vitals call good. */
  lcpMs: 2_500,
  interactionMs: 200,
  matrixUsableMs: 1_000,
} as const

function landingRows(landing: Awaited<ReturnType<typeof measureLanding>>): Row[] {
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

const spread = ({ least, median: middle, most }: Spread) =>
  `${[least, middle, most].map((value) => value.toFixed(0)).join(' / ')} ms`

function timeGate(what: string, spreadMs: Spread, atMost: number): Row {
  return { what, value: `${spread(spreadMs)} (≤ ${atMost} ms)`, verdict: judgeRatio(spreadMs, { atMost }) }
}

function matrixRows(matrix: Awaited<ReturnType<typeof measureMatrix>>): Row[] {
  const { usableMs, usableToSmall, interactionMs } = matrix
  const sizeOf = ({ people, trainings }: { people: number; trainings: number }) => `${people} × ${trainings}`
  return [
    timeGate(`Matrix with ${sizeOf(MATRIX)}: usable after its link`, usableMs, GATES.matrixUsableMs),
    row(`  beside one with ${sizeOf(SMALL_MATRIX)}`, formatRatio(usableToSmall)),
    timeGate('  slowest key, everybody loaded', interactionMs, GATES.interactionMs),
  ]
}

function dashboardRows(dashboard: Awaited<ReturnType<typeof measureDashboard>>): Row[] {
  const { lcpMs, interactionMs, typingTaskMs, fixedTaskMs } = dashboard
  const many = MODULES.toLocaleString('en')
  const ratio = typingTaskMs.median / fixedTaskMs.median
  const typed = `${spread(typingTaskMs)}: ${ratio.toFixed(2)} × the same work below`
  return [
    timeGate(`Dashboard with ${many} modules: LCP`, lcpMs, GATES.lcpMs),
    timeGate('  slowest interaction, all modules loaded', interactionMs, GATES.interactionMs),
    gate('  longest task while the search is typed at', ratio, { atMost: GATES.longTaskRatio }, typed),
    row('  noise: the same work, again and again', spread(fixedTaskMs)),
  ]
}

type Part = (browser: Browser, url: string) => Promise<{ json: object; rows: Row[] }>

/** One after the other: side by side they would slow each other down. */
const PARTS: Record<string, Part> = {
  async landing(browser, url) {
    logProgress(`the landing page, ${PAGES.runs} times`)
    const landing = await measureLanding(browser, url, await signUp(browser, url))
    return { json: { landing }, rows: landingRows(landing) }
  },
  async dashboard(browser, url) {
    logProgress(`the dashboard, ${PAGES.runs} times`)
    const trainer = await signUp(browser, url)
    // There is no file behind them: what is drawn must not ask for one.
    const modules = Array.from({ length: MODULES }, (_, index) => ({
      title: `Module number ${index}`,
      hasPoster: false,
    }))
    await seedModules(url, trainer.userId, modules)
    const dashboard = await measureDashboard(trainer)
    return { json: { dashboard }, rows: dashboardRows(dashboard) }
  },
  async matrix(browser, url) {
    logProgress(`the matrix, ${PAGES.runs} times beside a small one`)
    const [large, small] = [await signUp(browser, url), await signUp(browser, url)]
    await seedMatrix(url, large, MATRIX)
    await seedMatrix(url, small, SMALL_MATRIX)
    const matrix = await measureMatrix(
      { trainer: large, people: MATRIX.people },
      { trainer: small, people: SMALL_MATRIX.people },
    )
    return { json: { matrix }, rows: matrixRows(matrix) }
  },
}

/** What a page of the app weighs, and how fast it is drawn and answers; with `--only matrix`, which may be repeated, that one. */
export const scenario: Scenario = {
  needsBrowser: true,
  options: { only: { type: 'string', multiple: true, default: Object.keys(PARTS) } },
  async measure({ folder, values }) {
    logProgress('building and starting the system')
    const browser = await openBrowser()
    const repoDir = join(import.meta.dirname, '../..')
    const measured = await withSystem({ repoDir, stateDir: folder }, async (url) => {
      const parts = []
      for (const [name, measure] of Object.entries(PARTS)) {
        if ([values['only']].flat().includes(name)) parts.push(await measure(browser, url))
      }
      return parts
    })
    await browser.close()
    const { runs, cpuSlowdown, downMbit, upMbit, latencyMs } = PAGES
    const line = `processor ${cpuSlowdown} times as slow, ${downMbit} and ${upMbit} Mbit/s, ${latencyMs} ms a request`
    return {
      json: {
        conditions: { ...PAGES, modules: MODULES, matrix: MATRIX, smallMatrix: SMALL_MATRIX },
        gates: GATES,
        ...Object.assign({}, ...measured.map(({ json }) => json)),
      },
      table: [
        ...measured.flatMap(({ rows }) => rows),
        `\nPages: ${runs} runs, least / median / most; ${line}, nothing kept from earlier visits.`,
      ],
    }
  },
}
