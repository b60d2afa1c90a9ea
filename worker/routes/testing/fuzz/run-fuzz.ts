import { ROUTES } from '../route-table.ts'
import { type Case, makeCases, type Sent, sendOf } from './cases.ts'
import { type Answered, judge } from './judge.ts'
import { MODULE_NAMES, type World } from './world.ts'

export interface Target {
  /** New people with new modules. */
  plant(): Promise<World>
  send(sent: Sent): Promise<Answered>
  /** What is kept that the contract would have refused. */
  checkTables(): Promise<string[]>
}

export interface FuzzOptions {
  seed: number
  cases: number
  /** Called with each fault as it is found. */
  onFault?: (fault: Fault) => void
}

export interface Fault {
  what: string
  /** Number of the case; with the same seed it is the same case. Null for what was found between cases. */
  number: number | null
  call: string
}

export interface RouteTally {
  cases: number
  byStatus: Record<number, number>
  slowestMs: number
}

export interface FuzzReport {
  faults: Fault[]
  routes: Record<string, RouteTally>
}

/** As many cases are about the same modules, which by then have been changed, filled and deleted. */
const CASES_PER_WORLD = 240

/** Sends the cases of a seed, one after the other, and judges every answer and what is kept afterwards. */
export async function runFuzz(target: Target, { seed, cases, onFault }: FuzzOptions): Promise<FuzzReport> {
  const report: FuzzReport = { faults: [], routes: {} }
  const note = (fault: Fault) => {
    report.faults.push(fault)
    onFault?.(fault)
  }
  const all = makeCases(seed, cases)
  let next = 0
  // Lanes do not share modules, so what happens in one is the same however fast the others are.
  const runLane = async () => {
    while (next < all.length) {
      const from = next
      next += CASES_PER_WORLD
      try {
        const planted = await target.plant()
        const world = { ...planted, names: { ...planted.names, address: addressOf(from / CASES_PER_WORLD) } }
        for (const each of all.slice(from, from + CASES_PER_WORLD)) await tryCase(target, world, each, report, note)
        for (const fault of await readBack(target, world)) note(fault)
        for (const what of await target.checkTables()) note({ what, number: null, call: 'the tables' })
      } catch (error) {
        // The other modules are checked all the same.
        note({ what: String(error), number: null, call: `the modules of the cases after ${from}` })
      }
    }
  }
  await Promise.all(Array.from({ length: LANES }, runLane))
  return report
}

const LANES = 4

/** Limits count by address: with the same seed, the same calls meet the same limits. */
function addressOf(number: number): string {
  return `10.1.${number >> 8}.${number & 0xff}`
}

async function tryCase(
  target: Target,
  world: World,
  each: Case,
  report: FuzzReport,
  note: (fault: Fault) => void,
): Promise<void> {
  const sent = sendOf(each, world)
  const answer = await target.send(sent)
  count(report, each.route, answer)
  if (!WORKER_PATHS.test(new URL(sent.target, 'http://localhost').pathname)) return
  // The runtime takes whatever wants to become a socket for a GET.
  const isOpening = sent.headers.some(([name, value]) => name === 'upgrade' && value === 'websocket')
  const asked = { route: findRoute(each, sent), method: isOpening && each.method !== 'HEAD' ? 'GET' : each.method }
  for (const what of judge(asked, answer)) note({ what, number: each.number, call: reportCall(each, sent) })
}

/** A part of dots is gone before anybody sees it: what was meant for something of a shared module asks for a page. */
function findRoute({ route }: Case, { target }: Sent): string {
  const page = /^\/(share|embed)\/[^/]+$/.exec(new URL(target, 'http://localhost').pathname)?.[1]
  return page === undefined ? route : `GET /${page}/:moduleId`
}

/** Addresses that the worker is asked for; a path that leads out of them ends at the site's files. */
const WORKER_PATHS = /^\/(?:api|share|embed|media|assets)\//

function count({ routes }: FuzzReport, route: string, { status, tookMs }: Answered): void {
  const tally = (routes[route] ??= { cases: 0, byStatus: {}, slowestMs: 0 })
  tally.cases += 1
  tally.byStatus[status] = (tally.byStatus[status] ?? 0) + 1
  tally.slowestMs = Math.max(tally.slowestMs, tookMs)
}

function reportCall({ caller }: Case, { method, target, headers, body }: Sent): string {
  const head = headers.filter(([name, value]) => name !== 'cf-connecting-ip' && !value.startsWith('Bearer ey'))
  const said = body === null ? '' : ` ${new TextDecoder().decode(body.slice(0, 600))}`
  return `${caller}: ${method} ${target.slice(0, 300)} ${JSON.stringify(head).slice(0, 400)}${said}`
}

/** Everything that people see. */
const READ = [
  ...Object.keys(ROUTES).filter((route) => route.startsWith('GET ') && ROUTES[route]?.answer !== undefined),
  'GET /api/learning-metrics/:moduleId/export?format=csv',
  'GET /api/learning-metrics/:moduleId/export?format=xapi',
]

/** Reads everything through the API; the judge parses it with the contract. */
async function readBack(target: Target, world: World): Promise<Fault[]> {
  const faults: Fault[] = []
  const read = async (route: string, caller: 'owner' | 'stranger', moduleId = '') => {
    const [method = 'GET', path = ''] = route.replace(':moduleId', moduleId).split(' ')
    const headers: [string, string][] = [['authorization', `Bearer ${world.tokens[caller]}`]]
    const answer = await target.send({ method, target: path, headers, body: null })
    const asked = { route: route.split('?')[0] ?? '', method }
    for (const what of judge(asked, answer)) faults.push({ what, number: null, call: `${caller}: ${method} ${path}` })
  }
  const ofEach = READ.filter((route) => route.includes(':moduleId'))
  for (const route of READ) if (!ofEach.includes(route)) await read(route, 'owner')
  for (const name of MODULE_NAMES) {
    for (const route of ofEach) await read(route, 'owner', world.names[name])
    await read('GET /api/ai/conversation/:moduleId', 'stranger', world.names[name])
  }
  return faults
}
