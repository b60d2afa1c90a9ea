import { alignCells, type Bench, median, type Row, ratioGate, row, type Scenario } from '../scenario.ts'
import { isProfileName, PROFILES, type ProfileName, type Way } from './floor.ts'
import { type Gate, judge } from './gates.ts'
import { ALLOWED, type MeasuredRun, measureOurs, type OurRow, type Ours, type Plan } from './measure.ts'

const FIGURES: readonly [head: string, show: (run: MeasuredRun) => string][] = [
  ['steps written after, s', (run) => run.writtenS.toFixed(1)],
  ['READY after, s', (run) => run.readyS.toFixed(1)],
  ['models, s', (run) => run.floorS.toFixed(1)],
  ['first step, s', (run) => run.firstStepS.toFixed(1)],
  ['D1 statements / min', (run) => run.d1StatementsPerVideoMin.toFixed(1)],
  ['rows / min', (run) => `${run.d1RowsReadPerVideoMin.toFixed(0)}/${run.d1RowsWrittenPerVideoMin.toFixed(0)}`],
  ['R2 / min', (run) => run.r2OperationsPerVideoMin.toFixed(1)],
  ['messages / min', (run) => run.queueMessagesPerVideoMin.toFixed(1)],
  ['own ms per chunk', (run) => `${run.ownMedianMs.toFixed(0)}/${run.ownP95Ms.toFixed(0)}`],
  ['calls at once', (run) => `${run.mostSpeechCallsAtOnce}, ${run.mostLanguageCallsAtOnce}`],
]

function middleOf({ rounds }: OurRow, way: Way): MeasuredRun {
  const sorted = rounds.map((round) => round[way]).toSorted((a, b) => a.readyS - b.readyS)
  return sorted[Math.floor((sorted.length - 1) / 2)] as MeasuredRun
}

function listFigures({ rows }: Ours): string[] {
  const line = (head: string, cell: (row: OurRow) => string) => [head, ...rows.map(cell)]
  return alignCells([
    line('', ({ minutes, profile }) => `${minutes} min, ${profile}`),
    line('steps written after, s: serial', ({ serialS }) => serialS.toFixed(1)),
    line('READY after, s: serial', ({ serialReadyS }) => serialReadyS.toFixed(1)),
    line('READY after, s: floor', ({ rounds }) => median(rounds.map(({ floorRunS }) => floorRunS)).toFixed(1)),
    ...FIGURES.flatMap(([head, show]) =>
      (['server', 'client'] as const).map((way) => line(`${head}: ${way}`, (row) => show(middleOf(row, way)))),
    ),
  ])
}

function explain({ cutS, rows }: Ours): string[] {
  const { speechCalls, languageCalls, sectionsS } = ALLOWED
  const cut = Object.entries(cutS).map(([minutes, seconds]) => `${minutes} min in ${seconds.toFixed(1)} s`)
  const repeated = rows
    .filter(({ rounds }) => rounds.length > 1)
    .map(({ minutes, profile, rounds }) => {
      const floors = rounds.map(({ floorRunS }) => floorRunS.toFixed(1)).join(', ')
      return `noise        ${minutes} min, ${profile}, floor in each round: ${floors} s`
    })
  return [
    '',
    `The models are simulated: every call takes the time of its profile (floor.ts), and really waits for it.`,
    `serial       how it is usually built, computed: one message from stage to stage, queues with their default settings,`,
    `             one call after the other (floor.ts)`,
    `server       ours, the audio cut by the worker: from what \`complete\` starts to READY, by the clock of the worker`,
    `client       ours, the audio cut by the browser and stored before that moment`,
    `floor        the least that a pipeline which keeps its work can do (in-worker/run-floor.ts), measured right before`,
    `             each \`server\`: the same cutting and calls, each chunk stored and read once, one row for each answer`,
    `models       the model calls alone, computed: ${speechCalls} of the recogniser and ${languageCalls} of the language model at once, for`,
    `             sections of ${sectionsS.join(', ')} s and so on; for server, a chunk begins when the reader alone has passed it`,
    `             (${cut.join(', ')})`,
    `/ min        D1 statements, rows read/written, R2 operations and queue messages per minute of video`,
    `own ms       a speech job without its call: median/95th percentile; jobs whose calls end at once wait for each other`,
    `calls        the most calls in flight, of the recogniser and of the language model`,
    ...repeated,
    '',
  ]
}

function rowOf({ profile, claim, measured, limit, verdict, decides }: Gate): Row {
  const what = `${profile.padEnd(5)}${claim}`
  if (measured === null) return row(what, 'not measured')
  const judged = ratioGate(what, measured, limit)
  return decides ? judged : row(what, `${judged.value}  ${verdict} (for information)`)
}

function readPlan({ minutes: lengths, profile }: Bench['values']): Plan {
  const minutes = String(lengths).split(',').map(Number)
  if (!minutes.every((each) => Number.isInteger(each) && each > 0)) throw new Error('--minutes takes e.g. 10,60')
  const profiles = typeof profile === 'string' ? profile.split(',') : Object.keys(PROFILES)
  if (!profiles.every(isProfileName)) throw new Error(`--profile takes ${Object.keys(PROFILES).join(', ')}`)
  return { minutes: minutes.toSorted((a, b) => a - b), profiles: profiles as ProfileName[] }
}

/** The pipeline from `complete` to READY beside the least that one can do, and beside one as it is usually built. */
export const scenario: Scenario = {
  options: {
    profile: { type: 'string' },
    minutes: { type: 'string', default: '10,60' },
  },
  tools: ['ffmpeg'],
  async measure(bench) {
    const plan = readPlan(bench.values)
    const ours = await measureOurs(plan, bench)
    const gates = judge(ours.rows)
    return {
      json: { profiles: PROFILES, allowed: ALLOWED, ...ours, gates },
      table: [...listFigures(ours), ...explain(ours), ...gates.map(rowOf)],
    }
  },
}
