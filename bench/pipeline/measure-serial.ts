import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { askWorker, serveWorker } from '../serve.ts'
import type { SerialStanding } from './floor.ts'
import { PROFILES, type ProfileName, speechCallMs } from './floor.ts'
import { type Plan, videoName } from './measure.ts'

const STAGES = ['extract', 'transcribe', 'write', 'store']
/** An hour of the slow profile is computed to take 564 s. */
const TIMEOUT_MS = 15 * 60_000
const POLL_MS = 500

export interface SerialRow {
  minutes: number
  profile: ProfileName
  readyS: number
}

/** All runs of the baseline beside each other: they are asleep nearly all the time. */
export async function measureSerial(
  plan: Plan,
  stateFolder: string,
  logProgress: (line: string) => void,
): Promise<SerialRow[]> {
  const runs = plan.minutes
    .flatMap((minutes) => plan.profiles.map((profile) => ({ minutes, profile })))
    // The longest first, so that the others fit in beside it.
    .toSorted((a, b) => estimateS(b) - estimateS(a))
  const config = join(stateFolder, 'serial.json')
  const entrypoint = join(import.meta.dirname, 'serial-worker.ts')
  await writeFile(config, JSON.stringify(configure(entrypoint, runs.length)))
  const worker = await serveWorker({ config, entrypoint, stateFolder })
  try {
    await askWorker(`${worker.url}/table`, { post: {} })
    for (const [run, { minutes, profile }] of runs.entries()) {
      await askWorker(`${worker.url}/runs`, { post: { run, video: videoName(minutes), profile } })
      // Cutting is the one stage with work in it: side by side they would slow each other down.
      await waitUntil(worker.url, (all) => all.find((each) => each.run === run)?.stage !== 'extract')
    }
    logProgress(`${runs.length} serial runs are under way; the longest takes about ${estimateS(runs[0]).toFixed(0)} s`)
    const ended = await waitUntil(worker.url, (all) => all.every((each) => each.readyAt !== null))
    return runs.map((each, run) => ({ ...each, readyS: secondsOf(ended.find((one) => one.run === run)) }))
  } finally {
    await worker.stop()
  }
}

/** Queues as the platform makes them: ten messages or five seconds. One set for each run, as if it were alone. */
function configure(main: string, runs: number) {
  const queues = Array.from({ length: runs }, (_, run) => STAGES.map((stage) => ({ stage, run }))).flat()
  return {
    name: 'adapt-bench-serial',
    main,
    compatibility_date: '2026-10-01',
    d1_databases: [{ binding: 'DB', database_name: 'serial', database_id: '00000000-0000-0000-0000-000000000001' }],
    r2_buckets: [{ binding: 'MEDIA', bucket_name: 'adapt-media' }],
    queues: {
      producers: queues.map(({ stage, run }) => ({
        binding: `QUEUE_${stage}_${run}`,
        queue: `serial-${stage}-${run}`,
      })),
      consumers: queues.map(({ stage, run }) => ({
        queue: `serial-${stage}-${run}`,
        max_batch_size: 10,
        max_batch_timeout: 5,
      })),
    },
  }
}

async function waitUntil(url: string, isDone: (all: SerialStanding[]) => boolean): Promise<SerialStanding[]> {
  const deadline = performance.now() + TIMEOUT_MS
  while (performance.now() < deadline) {
    const all = await askWorker<SerialStanding[]>(`${url}/runs`)
    if (isDone(all)) return all
    await sleep(POLL_MS)
  }
  throw new Error(`The serial runs did not end within ${TIMEOUT_MS / 60_000} minutes`)
}

function secondsOf(ended: SerialStanding | undefined): number {
  if (ended === undefined || ended.readyAt === null || ended.stepCount === 0)
    throw new Error('A serial run has no steps')
  return (ended.readyAt - ended.startedAt) / 1_000
}

/** Roughly; only for the order and for the line that says how long it takes. */
function estimateS(run: { minutes: number; profile: ProfileName } | undefined): number {
  if (run === undefined) return 0
  const profile = PROFILES[run.profile]
  return run.minutes * (speechCallMs(profile, 60_000) / 1_000 + 120 / profile.writtenTokensPerS) + 25
}
