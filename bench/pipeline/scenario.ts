import { type Bench, formatRatio, logProgress, median, type Scenario } from '../scenario.ts'
import { isProfileName, PROFILES, type ProfileName, type Way } from './floor.ts'
import { type Gate, judge } from './gates.ts'
import { ALLOWED, type MeasuredRun, measureOurs, type OurRow, type Ours, type Plan } from './measure.ts'
import { measureSerial, type SerialRow } from './measure-serial.ts'

export interface Result {
  ours: Ours
  serial: SerialRow[]
  gates: Gate[]
}

/** Column groups side by side: what it is, how wide its cells are, and the cells of a row by their heads. */
interface Group {
  head: string
  cellChars: number
  cells: (row: OurRow) => Record<string, string>
}

function groupsOf(serial: readonly SerialRow[]): Group[] {
  const both = (head: string, of: (run: MeasuredRun) => string, cellChars = 6): Group => ({
    head,
    cellChars,
    cells: (row) => ({ server: of(middleOf(row, 'server')), client: of(middleOf(row, 'client')) }),
  })
  const serialOf = ({ minutes, profile }: OurRow) =>
    serial.find((each) => each.minutes === minutes && each.profile === profile)
  return [
    { head: '', cellChars: 7, cells: ({ minutes, profile }) => ({ video: `${minutes} min`, profile }) },
    {
      head: 'READY after, s',
      cellChars: 6,
      cells: (row) => ({
        serial: serialOf(row)?.readyS.toFixed(1) ?? '–',
        server: middleOf(row, 'server').readyS.toFixed(1),
        client: middleOf(row, 'client').readyS.toFixed(1),
        floor: median(row.rounds.map(({ floorRunS }) => floorRunS)).toFixed(1),
      }),
    },
    both('models, s', (run) => run.floorS.toFixed(1)),
    both('first step, s', (run) => run.firstStepS.toFixed(1)),
    both('D1 / min', (run) => run.d1StatementsPerVideoMin.toFixed(1)),
    both(
      'rows / min',
      (run) => `${run.d1RowsReadPerVideoMin.toFixed(0)}/${run.d1RowsWrittenPerVideoMin.toFixed(0)}`,
      9,
    ),
    both('R2 / min', (run) => run.r2OperationsPerVideoMin.toFixed(1)),
    both('messages / min', (run) => run.queueMessagesPerVideoMin.toFixed(1)),
    both('own ms per chunk', (run) => `${run.ownMedianMs.toFixed(0)}/${run.ownP95Ms.toFixed(0)}`, 9),
    both('calls at once', (run) => `${run.mostSpeechCallsAtOnce}, ${run.mostLanguageCallsAtOnce}`),
  ]
}

/** The run of the middle round. */
function middleOf({ rounds }: OurRow, way: Way): MeasuredRun {
  const sorted = rounds.map((round) => round[way]).toSorted((a, b) => a.readyS - b.readyS)
  return sorted[Math.floor((sorted.length - 1) / 2)] as MeasuredRun
}

function printReport({ ours, serial, gates }: Result): void {
  const groups = groupsOf(serial)
  const [first] = ours.rows
  if (first === undefined) return
  console.log(line(groups.map((group) => group.head.padEnd(chars(group, first)))))
  console.log(line(groups.map((group) => cells(group, Object.keys(group.cells(first))))))
  for (const row of ours.rows) console.log(line(groups.map((group) => cells(group, Object.values(group.cells(row))))))
  console.log(`\n${explain(ours)}\n`)
  for (const gate of gates) console.log(describeGate(gate))
}

function line(groups: string[]): string {
  return groups.join(' │ ').trimEnd()
}

function cells(group: Group, values: string[]): string {
  return values.map((value) => value.padStart(group.cellChars)).join(' ')
}

function chars(group: Group, row: OurRow): number {
  return cells(group, Object.keys(group.cells(row))).length
}

function explain({ cutS, rows, load }: Ours): string {
  const { speechCalls, languageCalls, sectionsS } = ALLOWED
  const cut = Object.entries(cutS).map(([minutes, seconds]) => `${minutes} min in ${seconds.toFixed(1)} s`)
  return [
    `The models are simulated: every call takes the time of its profile (floor.ts), and really waits for it.`,
    `serial       how it is usually built: one message from stage to stage, queues with their default settings, one call`,
    `             after the other (serial-worker.ts)`,
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
    `noise        ${listNoise({ rows, load })}`,
  ].join('\n')
}

function listNoise({ rows, load }: Pick<Ours, 'rows' | 'load'>): string {
  const busy = `${load.atFirst.toFixed(1)} before the first run, ${load.most.toFixed(1)} at its highest`
  const repeated = rows.flatMap(({ minutes, profile, rounds }) => {
    if (rounds.length === 1) return []
    const floors = rounds.map(({ floorRunS }) => floorRunS.toFixed(1)).join(', ')
    return [`${minutes} min, ${profile}, floor in each round: ${floors} s;`]
  })
  return [...repeated, `load average on ${load.cores} cores: ${busy}`].join('\n             ')
}

function describeGate({ profile, claim, measured, limit, verdict, decides }: Gate): string {
  const wanted = 'atMost' in limit ? `at most ${limit.atMost}` : `at least ${limit.atLeast}`
  const value = measured === null ? 'not measured' : formatRatio(measured)
  const isFor = decides ? '' : ' (for information)'
  return `${(verdict ?? '–').padEnd(8)}${profile.padEnd(5)}${claim}: ${value}, ${wanted}${isFor}`
}

function readPlan({ minutes: lengths, profile }: Bench['values']): Plan {
  const minutes = String(lengths).split(',').map(Number)
  if (!minutes.every((each) => Number.isInteger(each) && each > 0)) throw new Error('--minutes takes e.g. 10,60')
  const profiles = typeof profile === 'string' ? profile.split(',') : Object.keys(PROFILES)
  if (!profiles.every(isProfileName)) throw new Error(`--profile takes ${Object.keys(PROFILES).join(', ')}`)
  return { minutes: minutes.toSorted((a, b) => a - b), profiles: profiles as ProfileName[] }
}

async function measureAll(bench: Bench): Promise<Result> {
  const plan = readPlan(bench.values)
  const ours = await measureOurs(plan, bench, logProgress)
  const serial = bench.values['skip-serial'] ? [] : await measureSerial(plan, bench.folder, logProgress)
  return { ours, serial, gates: judge(ours.rows, serial) }
}

/** The pipeline from `complete` to READY beside the least that one can do, and beside one as it is usually built. */
export const pipeline: Scenario<Result> = {
  options: {
    profile: { type: 'string' },
    minutes: { type: 'string', default: '10,60' },
    'skip-serial': { type: 'boolean' },
  },
  tools: ['ffmpeg'],
  measure: measureAll,
  toJson: ({ ours, serial, gates }) => ({ profiles: PROFILES, allowed: ALLOWED, ...ours, serial, gates }),
  print: printReport,
  rows: ({ gates }) =>
    gates.map((gate) => ({ what: describeGate(gate), value: '', isMet: !(gate.decides && gate.verdict === 'missed') })),
}
