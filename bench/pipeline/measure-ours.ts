import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { askWorker } from '../shared/ask-worker.ts'
import { readLoad } from '../shared/noise.ts'
import { serveProduct } from '../shared/serve-product.ts'
import { ALLOWED } from './allowed.ts'
import type { CutPart, Way } from './answers.ts'
import { type MeasuredRun, measureRun } from './measure-run.ts'
import type { ProfileName } from './profiles.ts'
import { provideVideo, storeVideo } from './videos.ts'

/** For how much the machine itself varies. */
const REPEATS = 3

export interface Plan {
  minutes: readonly number[]
  profiles: readonly ProfileName[]
}

export interface OurRow {
  minutes: number
  profile: ProfileName
  server: MeasuredRun
  client: MeasuredRun
}

export interface Ours {
  rows: OurRow[]
  /** Seconds that reading and cutting the sound takes alone, by minutes of video. */
  cutS: Record<number, number>
  /** Seconds to READY of the same run several times, ascending. */
  repeats: { minutes: number; profile: ProfileName; readyS: number[] } | null
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
    return await runAll(plan, { parts, run, tell })
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
  tell: (line: string) => void
}

async function runAll({ minutes, profiles }: Plan, { parts, run, tell }: Running): Promise<Ours> {
  const loads = [readLoad()]
  const [shortest = 0] = minutes
  const repeated = profiles.includes('mid') ? 'mid' : profiles[0]
  // What is compiled and allocated at first use is nobody's time to READY.
  await run(shortest, 'fast', 'client')
  const rows: OurRow[] = []
  let repeats: Ours['repeats'] = null
  for (const length of minutes) {
    for (const profile of profiles) {
      const server = await run(length, profile, 'server')
      tell(`${length} min, ${profile}, server demux: READY after ${server.readyS.toFixed(1)} s`)
      const clients = [await run(length, profile, 'client')]
      if (length === shortest && profile === repeated) {
        while (clients.length < REPEATS) clients.push(await run(length, profile, 'client'))
        clients.sort((a, b) => a.readyS - b.readyS)
        repeats = { minutes: length, profile, readyS: clients.map((client) => client.readyS) }
      }
      const client = clients[Math.floor(clients.length / 2)] as MeasuredRun
      tell(`${length} min, ${profile}, client audio: READY after ${client.readyS.toFixed(1)} s`)
      rows.push({ minutes: length, profile, server, client })
      loads.push(readLoad())
    }
  }
  const cutS = Object.fromEntries(minutes.map((length) => [length, endOf(parts[length] ?? []) / 1_000]))
  const load = { cores: availableParallelism(), atFirst: loads[0] ?? 0, most: Math.max(...loads) }
  return { rows, cutS, repeats, load }
}
