import { ALLOWED } from './allowed.ts'
import type { Gate } from './gates.ts'
import type { OurRow, Ours } from './measure-ours.ts'
import { type MeasuredRun, POLL_MS } from './measure-run.ts'
import type { SerialRow } from './measure-serial.ts'

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
  const both = (head: string, of: (run: MeasuredRun) => string, cellChars = 7): Group => ({
    head,
    cellChars,
    cells: ({ server, client }) => ({ server: of(server), client: of(client) }),
  })
  const serialOf = ({ minutes, profile }: OurRow) =>
    serial.find((each) => each.minutes === minutes && each.profile === profile)
  return [
    { head: '', cellChars: 7, cells: ({ minutes, profile }) => ({ video: `${minutes} min`, profile }) },
    {
      head: 'READY after, s',
      cellChars: 7,
      cells: (row) => ({
        serial: serialOf(row)?.readyS.toFixed(1) ?? '–',
        server: row.server.readyS.toFixed(1),
        client: row.client.readyS.toFixed(1),
      }),
    },
    both('floor, s', (run) => run.floorS.toFixed(1)),
    both('first step, s', (run) => run.firstStepS.toFixed(1)),
    both('D1 / min', (run) => run.d1StatementsPerVideoMin.toFixed(1)),
    both('R2 / min', (run) => run.r2OperationsPerVideoMin.toFixed(1)),
    both('messages / min', (run) => run.queueMessagesPerVideoMin.toFixed(1)),
    both('own ms per part', (run) => `${run.ownMedianMs.toFixed(0)}/${run.ownP95Ms.toFixed(0)}`, 9),
    both('calls at once', (run) => `${run.mostSpeechCallsAtOnce}, ${run.mostLanguageCallsAtOnce}`),
  ]
}

export function printReport({ ours, serial, gates }: Result): void {
  const groups = groupsOf(serial)
  const [first] = ours.rows
  if (first === undefined) return
  console.log(line(groups.map((group) => group.head.padEnd(chars(group, first)))))
  console.log(line(groups.map((group) => cells(group, Object.keys(group.cells(first))))))
  for (const row of ours.rows) console.log(line(groups.map((group) => cells(group, Object.values(group.cells(row))))))
  console.log(`\n${explain(ours)}\n`)
  for (const gate of gates) console.log(tellGate(gate))
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

function explain({ cutS, repeats }: Ours): string {
  const { speechCalls, languageCalls, stretchesS } = ALLOWED
  const cut = Object.entries(cutS).map(([minutes, seconds]) => `${minutes} min in ${seconds.toFixed(1)} s`)
  return [
    'serial: one message from stage to stage, queues as they come, one call after the other. server: ours, the sound cut by',
    `the worker. client: ours, the sound cut in the browser before. Models are simulated; READY and first step are looked for`,
    `every ${POLL_MS} ms, so they are up to that much too late. floor: the same model calls with nothing of ours between them,`,
    `${speechCalls} calls of the recogniser and ${languageCalls} of the language model at once, stretches of ${stretchesS.join(', ')} s and so on; for server`,
    `a part begins when the reader alone would have passed it (${cut.join(', ')}). D1 (statements), R2`,
    '(operations) and messages: per minute of video, from what `complete` starts on. own ms per part: median/95th percentile of',
    'a speech job without the time of its call. calls at once: the most of the recogniser, of the language model.',
    tellRepeats(repeats),
  ].join('\n')
}

function tellRepeats(repeats: Ours['repeats']): string {
  if (repeats === null) return ''
  const { minutes, profile, readyS } = repeats
  const middle = readyS[Math.floor(readyS.length / 2)] ?? Number.NaN
  const [least = Number.NaN, most = Number.NaN] = [readyS[0], readyS.at(-1)]
  const of = `${minutes} min, ${profile}, client audio`
  return `This machine's noise: ${of}, ${readyS.length} times: ${least.toFixed(1)} / ${middle.toFixed(1)} / ${most.toFixed(1)} s (min, median, max).`
}

function tellGate({ profile, claim, measured, limit, isMet, decides }: Gate): string {
  const verdict = isMet === null ? '–' : isMet ? 'ok' : 'MISSED'
  const wanted = 'atMost' in limit ? `at most ${limit.atMost}` : `at least ${limit.atLeast}`
  const value = measured === null ? 'not measured' : measured.toFixed(2)
  return `${verdict.padEnd(7)}${profile.padEnd(5)}${claim}: ${value}, ${wanted}${decides ? '' : ' (for information)'}`
}
