// `npm run mutants -- --folder worker/domain/run`: changes the sources of folders at random places, one at a time, and
// says which changes no test notices. A test file that fails without any change fails the command.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { randomOf } from '../../e2e/chaos/random.ts'
import { listShipped, refuse } from '../check.ts'
import { chooseTests, PROJECTS, type Project } from './choose-tests.ts'
import { readGraph } from './import-graph.ts'
import { type Change, WorkerdJudge } from './judge-in-workerd.ts'
import { Judge, type Verdict } from './judge-mutant.ts'
import { listMutants, type Mutant } from './list-mutants.ts'
import { TestRuns } from './run-tests.ts'
import { scoreSample } from './score.ts'

const LARGEST_SEED = 1_000_000
/** Changes that are judged together: workerd starts once for them. */
const ROUND = 50

const { values } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string', default: String(Math.floor(Math.random() * LARGEST_SEED)) },
    /** Changes, of all folders together. */
    sample: { type: 'string', default: '300' },
    /** Test files in workerd and with a page that judge a change, and three times as many in Node: the nearest. */
    tests: { type: 'string', default: '8' },
    /** After which no more changes are judged; those that were are still picked at random. */
    minutes: { type: 'string', default: '60' },
    /** Runs at a time. */
    jobs: { type: 'string', default: String(availableParallelism()) },
    json: { type: 'boolean', default: false },
  },
})
if (values.folder.length === 0) throw new Error('--folder is missing, such as --folder worker/domain/run')

const sources = values.folder.flatMap((folder) => listShipped('.', `${folder}/**/*.{ts,tsx}`))
const all = sources.flatMap((file) => listMutants(file, readFileSync(file, 'utf8')))
const sample = pickSample(all, Number(values.sample))
const graph = readGraph()
const runs = new TestRuns()
const judge = new Judge((input) => runs.run(input))
const workerdJudge = new WorkerdJudge(sample)
const jobs = Number(values.jobs)
console.error(`mutants: ${sample.length} of ${all.length} changes of ${sources.length} files, seed ${values.seed}`)
const startedMs = performance.now()
const endMs = startedMs + Number(values.minutes) * 60_000
const verdicts = await judgeAll(sample)
runs.close()
const tookS = Math.round((performance.now() - startedMs) / 1_000)
report(verdicts)

/** Some of all changes, each as likely as any other; the same for the same seed. */
function pickSample(mutants: readonly Mutant[], count: number): Mutant[] {
  const random = randomOf(values.seed)
  return mutants
    .map((mutant) => ({ mutant, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ mutant }) => mutant)
}

/**
 * Judges some changes after the others. Of those that the end of the time interrupts, none counts: what is noticed is
 * judged sooner than what survives.
 */
async function judgeAll(mutants: readonly Mutant[]): Promise<Verdict[]> {
  const judged: Verdict[] = []
  for (let from = 0; from < mutants.length && performance.now() < endMs; from += ROUND) {
    const round = mutants.slice(from, from + ROUND)
    const verdicts = await judgeRound(round)
    if (verdicts.length === round.length) judged.push(...verdicts)
  }
  return judged
}

/** In Node and with a page first, and in workerd what they have not noticed. */
async function judgeRound(mutants: readonly Mutant[]): Promise<Verdict[]> {
  const left = new Map<Mutant, { change: Change; before: Verdict }>()
  const judged: Verdict[] = []
  const add = (verdict: Verdict) => {
    judged.push(verdict)
    const { mutant, kind, by } = verdict
    const noticed = by === null ? '' : ` (${by})`
    console.error(`  ${judged.length} ${kind}${noticed}: ${mutant.file}:${mutant.line}: ${mutant.change}`)
  }
  const chosen = new Map<string, Record<Project, string[]>>()
  await inParallel(mutants, async (mutant) => {
    const tests = chosen.get(mutant.file) ?? chooseTests(graph, mutant.file, Number(values.tests))
    chosen.set(mutant.file, tests)
    const { inWorkerd, ...before } = await judge.judge(mutant, tests)
    if (inWorkerd.length === 0) add(before)
    else left.set(mutant, { change: { mutant, tests: inWorkerd }, before })
  })
  const changes = Array.from(left.values(), ({ change }) => change)
  await inParallel(split(workerdJudge.listUnknown(changes)), (tests) => workerdJudge.learn(tests, endMs))
  await inParallel(split(changes), (own) =>
    workerdJudge.judge(own, endMs, (verdict) => {
      const before = left.get(verdict.mutant)?.before
      add(verdict.kind === 'unclear' && before !== undefined ? before : verdict)
    }),
  )
  return judged
}

/** Into as many parts as run at a time. */
function split<Item>(items: readonly Item[]): Item[][] {
  const parts = Array.from({ length: jobs }, (_, part) => items.filter((_item, n) => n % jobs === part))
  return parts.filter((part) => part.length > 0)
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const next = async (): Promise<void> => {
    const item = performance.now() < endMs ? waiting.shift() : undefined
    if (item === undefined) return
    await work(item)
    await next()
  }
  await Promise.all(Array.from({ length: jobs }, next))
}

function report(judged: readonly Verdict[]): void {
  const of = (kind: Verdict['kind']) =>
    judged
      .filter((verdict) => verdict.kind === kind)
      .map(({ mutant: { file, line, change } }) => ({ file, line, change }))
      .toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
  const [survivors, unclear] = [of('survived'), of('unclear')]
  const score = scoreSample(of('killed').length, of('killed').length + survivors.length)
  const sampled = { folders: values.folder, seed: values.seed, changes: all.length, tookS }
  const failingTests = [...judge.failingTests, ...workerdJudge.failingTests]
  refuse(failingTests, ' does not pass without a change, and judges none')
  if (values.json)
    return console.log(JSON.stringify({ ...sampled, ...score, unclear, survivors, failingTests }, null, 2))
  console.table(survivors)
  if (unclear.length > 0) console.table(unclear)
  const { killed, scorePercent, lowPercent, highPercent } = score
  console.log(
    `mutants: ${scorePercent} % noticed (${killed} of ${score.judged}; 95 %: ${lowPercent} to ${highPercent} %), ` +
      `${unclear.length} unclear, in ${tookS} s, by the ${values.tests} nearest tests of ${PROJECTS.join(', ')} (seed ${values.seed})`,
  )
}
