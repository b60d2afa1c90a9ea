import { type D1Meter, openD1Meter } from '#worker/pipeline/testing/metered-d1.ts'
import type { Tally } from '../answers.ts'

/** What happens in this worker, in whichever invocation: they share one isolate on a machine of our own. */
export const tally = emptyTally()

/** Begins to count anew. */
export function resetTally(): void {
  Object.assign(tally, emptyTally())
}

let startedAt = 0

/** The run begins now: all times are counted from here. */
export function startClock(): void {
  startedAt = Date.now()
}

function emptyTally(): Tally & { d1: D1Meter } {
  return {
    d1: openD1Meter(),
    r2Operations: 0,
    queueMessages: 0,
    speechCalls: { inFlight: 0, mostInFlight: 0 },
    languageCalls: { inFlight: 0, mostInFlight: 0 },
    speechJobs: [],
    writtenAtMs: {},
    complaints: [],
  }
}

/** Reads how long each part took, and when each stretch was written, out of the line that every job logs. */
export function watchLog(): void {
  console.log = (line: unknown) => {
    if (isSpeechDone(line)) tally.speechJobs.push({ part: line.part, durationMs: line.durationMs })
    else if (isWritten(line)) tally.writtenAtMs[line.stretch] ??= Date.now() - startedAt
    else if (isTrouble(line)) tally.complaints.push(JSON.stringify(line))
  }
  console.warn = console.error = (...said: unknown[]) => {
    tally.complaints.push(said.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(' '))
  }
}

interface SpeechDone {
  stage: 'speech'
  outcome: 'done'
  part: number
  durationMs: number
}

function isSpeechDone(line: unknown): line is SpeechDone {
  const { stage, outcome } = line as Partial<SpeechDone>
  return stage === 'speech' && outcome === 'done'
}

interface Written {
  stage: 'steps'
  outcome: 'done'
  stretch: number
}

/** Logged when the steps are stored, shown and announced; for the last stretch when the module is READY. */
function isWritten(line: unknown): line is Written {
  const { stage, outcome } = line as Partial<Written>
  return stage === 'steps' && outcome === 'done'
}

function isTrouble(line: unknown): boolean {
  const { outcome } = line as { outcome?: string }
  return outcome !== undefined && outcome !== 'done'
}
