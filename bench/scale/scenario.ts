import { type Call, openCaller } from '../client.ts'
import type { Tally } from '../pipeline/floor.ts'
import { type Grown, growthOf, mapValues, takeTurns, timeMs } from '../rounds.ts'
import { type Bench, gate, inTimes, logProgress, median, type Scenario, sum } from '../scenario.ts'
import type { ServedWorker } from '../serve.ts'
import { measureWatchedHour } from '../watched-hour.ts'
import { LEARNERS_EACH, MANY, MODULE_ID, modulesOf, OPERATOR, type Size, seedModules, USUAL } from './seed-modules.ts'

const FEW: Size = { owners: 9, modulesEach: 100, ofOne: 100 }
/** A system of a thousand modules, another for the noise, and one with a hundred times as many. */
const SYSTEMS = {
  few: FEW,
  fewToo: FEW,
  many: { owners: 1_000, modulesEach: 100, ofOne: 10_000 },
} as const satisfies Record<keyof Grown, Size>

type SystemName = keyof typeof SYSTEMS

const NAMES = Object.keys(SYSTEMS) as SystemName[]
const WARM_UPS = 3
const ROUNDS = 25
/** How much longer a hundred times as many modules may make anything. */
const RATIO_MAX = 1.5

const get = (path: string, as?: string): Call => ({ path, ...(as !== undefined && { as }) })
const debug = (query: string, as: string) => get(`/api/debug/modules/debug?limit=20&${query}`, as)

/** Searches of steps, speech and screens. */
const INSIDE = {
  one: 'search inside, of a usual owner, that finds one',
  common: 'search inside, of a usual owner, of words that all have',
  none: 'search inside, of a usual owner, that finds none',
  commonOfMany: 'search inside, of the owner of 10,000, of words that all have',
  beginningOfMany: 'search inside, of the owner of 10,000, of what 10,000 words begin with',
}
/** A person who types waits for no letter. */
const INSIDE_MS_MAX = 50

/** What people and the clock ask for. */
const CALLS: Record<string, Call> = {
  'list of a usual owner': get('/api/modules?limit=60', USUAL),
  'list of the owner of 10,000': get('/api/modules?limit=60', MANY),
  'search of a usual owner that finds one': get('/api/modules?search=roll%200', USUAL),
  'search of a usual owner that finds none': get('/api/modules?search=no+such+words', USUAL),
  'search of the owner of 10,000 that finds none': get('/api/modules?search=no+such+words', MANY),
  [INSIDE.one]: get('/api/modules/search?query=number0', USUAL),
  [INSIDE.common]: get('/api/modules/search?query=the+latch', USUAL),
  [INSIDE.none]: get('/api/modules/search?query=nonsense', USUAL),
  [INSIDE.commonOfMany]: get('/api/modules/search?query=the+latch', MANY),
  [INSIDE.beginningOfMany]: get('/api/modules/search?query=num', MANY),
  'list of what is at work': get('/api/modules/processing', USUAL),
  'list of deleted modules': get('/api/modules/deleted', USUAL),
  'list of opened modules': get('/api/opened-modules', USUAL),
  'a module': get(`/api/modules/${MODULE_ID}`, USUAL),
  'its steps': get(`/api/steps/${MODULE_ID}`, USUAL),
  'its questions': get(`/api/questions/${MODULE_ID}`, USUAL),
  'its learning': get(`/api/learning-metrics/${MODULE_ID}`, USUAL),
  'feedback of a usual owner': get('/api/feedback/stats', USUAL),
  'debug page of a usual owner': debug('status=READY', USUAL),
  'debug page of an operator': debug('status=READY', OPERATOR),
  'debug page of an operator: stuck': debug('stuck=true', OPERATOR),
  'debug page of an operator: failed': debug('status=FAILED', OPERATOR),
  'debug page of an operator: at work': debug('status=PROCESSING', OPERATOR),
  'debug page of an operator: orphaned': debug('status=orphaned', OPERATOR),
  'a module on the debug page': get(`/api/debug/modules/${MODULE_ID}`, OPERATOR),
  'use of models, of a usual owner': get('/api/debug/usage', USUAL),
  'use of models, of an operator': get('/api/debug/usage', OPERATOR),
  'share page, not cached': get(`/share/${MODULE_ID}`),
  'data of the share page': get(`/api/share/${MODULE_ID}`),
  'sweep with nothing to do': { method: 'POST', path: '/api/bench/sweep' },
}

async function openSystem({ serve }: Bench, name: SystemName) {
  const size = SYSTEMS[name]
  const [modules, learners] = [modulesOf(size), modulesOf(size) * LEARNERS_EACH].map((count) =>
    count.toLocaleString('en'),
  )
  logProgress(`planting ${modules} modules with ${learners} learners`)
  const worker = await serve({ state: name, vars: { OPERATOR_IDS: OPERATOR } })
  await seedModules(worker, size)
  return { worker, caller: openCaller(worker.url, 1) }
}

interface Measured {
  ms: Grown
  /** Of the database for one call; what the share page asks runs in an entrypoint of its own, and is not counted. */
  rowsRead: Grown
}

async function countRows(worker: ServedWorker, work: () => Promise<unknown>): Promise<number> {
  const read = async () => (await worker.ask<Tally>('/api/bench/tally')).d1.rowsRead
  const before = await read()
  await work()
  return (await read()) - before
}

async function measureAll(bench: Bench) {
  const systems = {} as Record<SystemName, Awaited<ReturnType<typeof openSystem>>>
  // One after the other, or they would be given the same port.
  for (const name of NAMES) systems[name] = await openSystem(bench, name)
  const forget = (worker: ServedWorker) => worker.ask(`/api/bench/cold/${MODULE_ID}`, {})
  const measured: Record<string, Measured> = {}
  for (const [what, call] of Object.entries(CALLS)) {
    const isShared = what.includes('share')
    const taken = await takeTurns(NAMES, { warmUps: WARM_UPS, rounds: ROUNDS }, async (name) => {
      const { worker, caller } = systems[name]
      if (isShared) await forget(worker)
      return timeMs(() => caller.ask(call))
    })
    const counted = await takeTurns(NAMES, { rounds: 1 }, (name) =>
      countRows(systems[name].worker, () => systems[name].caller.ask(call)),
    )
    const one = { ms: mapValues(taken, median), rowsRead: mapValues(counted, sum) }
    measured[what] = one
    logProgress(`${what}: ${one.ms.few.toFixed(1)}, ${one.ms.fewToo.toFixed(1)} → ${one.ms.many.toFixed(1)} ms`)
  }
  for (const name of NAMES) systems[name].caller.close()
  return { measured, watched: await measureWatchedHour(systems.many.worker, MODULE_ID) }
}

function rowOf(what: string, { ms, rowsRead }: Measured) {
  const { fewMs, ratio, noiseRatio } = growthOf(ms)
  const [few, many] = [fewMs, ms.many].map((time) => `${time.toFixed(2)} ms`)
  const rows = `${rowsRead.few} → ${rowsRead.many} rows read`
  const shown = `${few} → ${many}  ${inTimes(ratio)}, ${noiseRatio.toFixed(2)} between two alike, ${rows}`
  // The owner of many has a hundred times as many in the larger system; what it takes there is bounded instead.
  if (what === INSIDE.commonOfMany || what === INSIDE.beginningOfMany)
    return gate(what, ms.many, { atMost: INSIDE_MS_MAX }, `${shown}, ${many}`)
  return gate(what, ratio, { atMost: RATIO_MAX }, shown)
}

/** Whether a page costs more the more modules, owners and learners there are beside those that it is about. */
export const scenario: Scenario = {
  async measure(bench) {
    const { measured, watched } = await measureAll(bench)
    const [few, many] = [modulesOf(SYSTEMS.few), modulesOf(SYSTEMS.many)].map((count) => count.toLocaleString('en'))
    const table = Object.entries(measured).map(([what, each]) => rowOf(what, each))
    const ratios = mapValues(measured, ({ ms }) => growthOf(ms).ratio)
    const json = {
      modules: mapValues(SYSTEMS, modulesOf),
      learnersEach: LEARNERS_EACH,
      ratios,
      measured,
      watchedHour: watched.json,
    }
    return { json, table: [`${few} → ${many} modules`, ...table, watched.row] }
  },
}
