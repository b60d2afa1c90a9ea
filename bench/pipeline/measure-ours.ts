import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { askWorker } from '../shared/ask-worker.ts'
import { readLoad } from '../shared/noise.ts'
import { serveProduct } from '../shared/serve-product.ts'
import { ALLOWED } from './allowed.ts'
import type { CutPart, FloorTimes, Way } from './answers.ts'
import { decidingProfile } from './gates.ts'
import { type MeasuredRun, measureRun } from './measure-run.ts'
import type { ProfileName } from './profiles.ts'
import { provideVideo, storeVideo } from './videos.ts'

/** Of the profile that decides: each of them compares what was measured within the same half minute. */
const ROUNDS = 3

export interface Plan {
  minutes: readonly number[]
  profiles: readonly ProfileName[]
}

/** One video measured in each way, one after the other. */
export interface Round {
  server: MeasuredRun
  client: MeasuredRun
  /** Seconds to READY of the least that a pipeline can do, which was measured right before `server`. */
  floorRunS: number
}

export interface OurRow {
  minutes: number
  profile: ProfileName
  /** At least one. */
  rounds: Round[]
}

export interface Ours {
  rows: OurRow[]
  /** Seconds that reading and cutting the sound takes alone, by minutes of video. */
  cutS: Record<number, number>
  /** What else the machine was doing: its load average over the last minute, before the first run and at its highest. */
  load: { cores: number; atFirst: number; most: number }
}

export function videoName(minutes: number): string {
  return `video-${minutes}`
}

/** All runs of the product's pipeline, one at a time. The videos stay in the state folder. */
export async function measureOurs(plan: Plan, stateFolder: string, tell: (line: string) => void): Promise<Ours> {
  const worker = await serveProduct({ entrypoint: join(import.meta.dirname, 'worker.ts'), stateFolder })
  try {
    const parts: Record<number, CutPart[]> = {}
    for (const minutes of plan.minutes) {
      tell(`${minutes} min: making and storing the video, cutting its sound alone`)
      parts[minutes] = await prepareVideo(worker.url, minutes)
    }
    const run = (minutes: number, profile: ProfileName, way: Way) => {
      const request = { video: videoName(minutes), way, profile }
      return measureRun({ url: worker.url, request, parts: parts[minutes] ?? [], allowed: ALLOWED })
    }
    const runFloor = async (minutes: number, profile: ProfileName) => {
      const post = { video: videoName(minutes), way: 'server', profile, allowed: ALLOWED }
      return (await askWorker<FloorTimes>(`${worker.url}/bench/floors`, { post })).readyMs / 1_000
    }
    return await runAll(plan, { parts, run, runFloor, tell })
  } finally {
    await worker.stop()
  }
}

async function prepareVideo(url: string, minutes: number): Promise<CutPart[]> {
  const address = `${url}/bench/videos/${videoName(minutes)}`
  await storeVideo(address, await provideVideo(minutes))
  await askWorker(`${address}/keep-sound`, { post: {} })
  const cuts = [
    await askWorker<CutPart[]>(`${address}/cut`, { post: {} }),
    await askWorker<CutPart[]>(`${address}/cut`, { post: {} }),
  ]
  // A floor takes the better one.
  return cuts.toSorted((a, b) => endOf(a) - endOf(b))[0] ?? []
}

function endOf(parts: CutPart[]): number {
  return parts.at(-1)?.cutAtMs ?? 0
}

interface Running {
  parts: Record<number, CutPart[]>
  run: (minutes: number, profile: ProfileName, way: Way) => Promise<MeasuredRun>
  runFloor: (minutes: number, profile: ProfileName) => Promise<number>
  tell: (line: string) => void
}

async function runAll({ minutes, profiles }: Plan, running: Running): Promise<Ours> {
  const loads = [readLoad()]
  const [shortest = 0] = minutes
  const deciding = decidingProfile(profiles)
  // What is compiled and allocated at first use is not part of any time to READY.
  await running.run(shortest, 'fast', 'client')
  await running.runFloor(shortest, 'fast')
  const rows: OurRow[] = minutes.flatMap((length) =>
    profiles.map((profile) => ({ minutes: length, profile, rounds: [] })),
  )
  // Lengths in turn, so that what the machine does meanwhile is in all of them.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const row of rows) {
      if (round > 0 && row.profile !== deciding) continue
      row.rounds.push(await measureRound(row, running))
      loads.push(readLoad())
    }
  }
  const cutS = Object.fromEntries(minutes.map((length) => [length, endOf(running.parts[length] ?? []) / 1_000]))
  const load = { cores: availableParallelism(), atFirst: loads[0] ?? 0, most: Math.max(...loads) }
  return { rows, cutS, load }
}

async function measureRound({ minutes, profile }: OurRow, { run, runFloor, tell }: Running): Promise<Round> {
  const floorRunS = await runFloor(minutes, profile)
  const server = await run(minutes, profile, 'server')
  const client = await run(minutes, profile, 'client')
  const ready = `server demux ${server.readyS.toFixed(1)} s, client audio ${client.readyS.toFixed(1)} s`
  tell(`${minutes} min, ${profile}: floor ${floorRunS.toFixed(1)} s, ${ready}`)
  return { server, client, floorRunS }
}
