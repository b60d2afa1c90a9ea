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

const spread = ({ least, median: middle, most }: Spread) =>
  `${[least, middle, most].map((value) => value.toFixed(0)).join(' / ')} ms`

function timeGate(what: string, spreadMs: Spread, atMost: number): Row {
  return { what, value: `${spread(spreadMs)} (≤ ${atMost} ms)`, verdict: judgeRatio(spreadMs, { atMost }) }
}

function matrixRows({ matrix }: Figures): Row[] {
  const { usableMs, usableToSmall, interactionMs } = matrix
  const sizeOf = ({ people, trainings }: { people: number; trainings: number }) => `${people} × ${trainings}`
  return [
    timeGate(`Matrix with ${sizeOf(MATRIX)}: usable after its link`, usableMs, GATES.matrixUsableMs),
    row(`  beside one with ${sizeOf(SMALL_MATRIX)}`, formatRatio(usableToSmall)),
    timeGate('  slowest key, everybody loaded', interactionMs, GATES.interactionMs),
  ]
}

function dashboardRows({ dashboard }: Figures): Row[] {
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
  const dashboard = await measureDashboard(trainer)
  logProgress(`the matrix, ${PAGES.runs} times beside a small one`)
  const [large, small] = [await signUp(browser, url), await signUp(browser, url)]
  await seedMatrix(url, large, MATRIX)
  await seedMatrix(url, small, SMALL_MATRIX)
  const matrix = await measureMatrix(
    { trainer: large, people: MATRIX.people },
    { trainer: small, people: SMALL_MATRIX.people },
  )
  return { landing, dashboard, matrix }
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
      json: {
        conditions: { ...PAGES, modules: MODULES, matrix: MATRIX, smallMatrix: SMALL_MATRIX },
        gates: GATES,
        ...figures,
      },
      table: [
        ...landingRows(figures),
        ...dashboardRows(figures),
        ...matrixRows(figures),
        `\nPages: ${runs} runs, least / median / most; ${line}, nothing kept from earlier visits.`,
      ],
    }
  },
}
