import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { findWorkerds, measureUsage, type Usage } from '../processes.ts'
import { type Bench, median, type Scenario } from '../scenario.ts'
import { serveWorker } from '../serve.ts'
import { ffmpeg, makeVideo, type VideoPlan } from '../video.ts'

/** A place outside the worker's process that takes bytes and forgets them, as hosted R2 is one. */
async function openSink(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve()))),
  }
}

const TEN_MINUTES: VideoPlan = { name: '10 min', minutes: 10, framesPerS: 30, videoKbps: 2200 }
const ONE_HOUR: VideoPlan = { name: '60 min / 1 GB', minutes: 60, framesPerS: 30, videoKbps: 2200 }
const THREE_HOURS: VideoPlan = { name: '3 h, 60 fps', minutes: 180, framesPerS: 60, videoKbps: 1200 }
/** For the 60-minute video: what an isolate of 128 MB leaves beside the worker itself. */
const MAX_RISE_MB = 100

interface Slice {
  nextMs: number | null
  nextChunk: number
  reads: number
  fetchedBytes: number
}

interface Round {
  cutting: Usage & { slices: number; chunks: number; reads: number; fetchedMb: number }
  reading: Usage
  sending: Usage
  storing: Usage
  ffmpeg: { cpuS: number; wallS: number }
}

/** One video through ours, through ffmpeg, and through what ours is made of, round after round. */
async function measureVideo(folder: string, plan: VideoPlan, { rounds, sinkUrl }: { rounds: number; sinkUrl: string }) {
  const file = `${plan.name.replace(/\W+/g, '-')}`
  const video = await makeVideo(folder, { ...plan, name: file })
  const state = join(folder, `${file}-state`)
  await withWorker(state, (worker) => store(worker, video))
  const measured: Round[] = []
  for (let round = 0; round < rounds; round++) {
    // A fresh process each time: memory that one run left behind is not the next one's idle.
    const cutting = await withWorker(state, (worker) => worker.measure(() => cutWhole(worker, '')))
    const ffmpegUsage = await measureFfmpeg(video, join(folder, 'audio.m4a'))
    const reading = await withWorker(state, (worker) => worker.measure(() => ask(worker, '/read')))
    const send = `&sink=${encodeURIComponent(sinkUrl)}`
    const sending = await withWorker(state, (worker) => worker.measure(() => cutWhole(worker, send)))
    const storing = await withWorker(state, (worker) => worker.measure(() => cutWhole(worker, '&store')))
    measured.push({
      cutting: { ...cutting.usage, ...cutting.result },
      reading: reading.usage,
      sending: sending.usage,
      storing: storing.usage,
      ffmpeg: ffmpegUsage,
    })
  }
  const { size } = await stat(video)
  return { name: plan.name, sizeMb: size / 1e6, ...summarize(measured) }
}

interface BenchWorker {
  url: string
  /** Runs work against the worker and accounts for what its processes used meanwhile. */
  measure<T>(work: () => Promise<T>): Promise<{ result: T; usage: Usage }>
}

/** One workerd runs the worker and its storage, another passes requests on to it: both are accounted for. */
async function withWorker<T>(stateFolder: string, use: (worker: BenchWorker) => Promise<T>): Promise<T> {
  const here = import.meta.dirname
  const config = join(here, 'wrangler.toml')
  const served = await serveWorker({ config, entrypoint: join(here, 'worker.ts'), stateFolder })
  try {
    // The worker's own process is there once it has answered.
    await (await fetch(`${served.url}/idle`)).text()
    const pids = findWorkerds()
    if (pids.length === 0) throw new Error('No workerd below this process')
    return await use({ url: served.url, measure: (work) => measureUsage(pids, work) })
  } finally {
    await served.stop()
  }
}

async function store(worker: BenchWorker, video: string): Promise<void> {
  const { size } = await stat(video)
  const body = Readable.toWeb(createReadStream(video)) as ReadableStream
  const headers = { 'content-length': String(size) }
  const answer = await fetch(`${worker.url}/store`, { method: 'PUT', body, headers, duplex: 'half' } as RequestInit)
  if (!answer.ok) throw new Error(`The video was not stored: ${await answer.text()}`)
}

async function ask<T>(worker: BenchWorker, path: string): Promise<T> {
  const answer = await fetch(`${worker.url}${path}`)
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

async function cutWhole(worker: BenchWorker, store: string) {
  const total = { slices: 0, chunks: 0, reads: 0, fetchedMb: 0 }
  for (let fromMs: number | null = 0; fromMs !== null; ) {
    const slice: Slice = await ask(worker, `/slice?fromMs=${fromMs}&firstChunk=${total.chunks}${store}`)
    fromMs = slice.nextMs
    total.chunks = slice.nextChunk
    total.slices++
    total.reads += slice.reads
    total.fetchedMb += slice.fetchedBytes / 1e6
  }
  return total
}

async function measureFfmpeg(video: string, to: string) {
  const report = await ffmpeg(['-benchmark', '-i', video, '-vn', '-c', 'copy', to])
  const [, user = 0, system = 0, real = 0] = /utime=([\d.]+)s stime=([\d.]+)s rtime=([\d.]+)s/.exec(report) ?? []
  return { cpuS: Number(user) + Number(system), wallS: Number(real) }
}

function summarize(rounds: Round[]) {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick))
  const ratios = rounds.map((round) => round.cutting.cpuS / round.ffmpeg.cpuS)
  const last = rounds.at(-1)?.cutting
  return {
    slices: last?.slices ?? 0,
    chunks: last?.chunks ?? 0,
    rangeReads: last?.reads ?? 0,
    fetchedMb: last?.fetchedMb ?? 0,
    cpuS: of((round) => round.cutting.cpuS),
    wallS: of((round) => round.cutting.wallS),
    readingCpuS: of((round) => round.reading.cpuS),
    storingCpuS: of((round) => round.storing.cpuS - round.cutting.cpuS),
    ffmpegCpuS: of((round) => round.ffmpeg.cpuS),
    ffmpegWallS: of((round) => round.ffmpeg.wallS),
    cpuRatio: median(ratios),
    cpuRatioLowest: Math.min(...ratios),
    cpuRatioHighest: Math.max(...ratios),
    peakRiseMb: Math.max(...rounds.map((round) => round.cutting.peakRiseMb)),
    peakRiseWithSendingMb: Math.max(...rounds.map((round) => round.sending.peakRiseMb)),
    peakRiseWithStoringMb: Math.max(...rounds.map((round) => round.storing.peakRiseMb)),
  }
}

type Result = Awaited<ReturnType<typeof measureVideo>>

function printTable(results: Result[], rounds: number): void {
  const table = results.map((result) => [
    ['video', `${result.name}, ${result.sizeMb.toFixed(0)} MB`],
    ['slices, chunks', `${result.slices}, ${result.chunks}`],
    ['range reads', `${result.rangeReads} of ${result.fetchedMb.toFixed(0)} MB`],
    ['CPU, ours', `${fixed(result.cpuS)} s`],
    ['  of that reading R2', `${fixed(result.readingCpuS)} s`],
    ['CPU, ffmpeg', `${fixed(result.ffmpegCpuS)} s`],
    [
      'CPU, ours / ffmpeg',
      `${fixed(result.cpuRatio)} (${fixed(result.cpuRatioLowest)}–${fixed(result.cpuRatioHighest)})`,
    ],
    ['wall, ours', `${fixed(result.wallS)} s`],
    ['wall, ffmpeg', `${fixed(result.ffmpegWallS)} s`],
    ['peak memory above idle', `${result.peakRiseMb.toFixed(0)} MB`],
    ['  and chunks sent out', `${result.peakRiseWithSendingMb.toFixed(0)} MB`],
    ['storing in local R2 adds', `${fixed(result.storingCpuS)} s CPU`],
    ['  peak memory with that', `${result.peakRiseWithStoringMb.toFixed(0)} MB`],
  ])
  for (const [row, [label]] of (table[0] ?? []).entries()) {
    console.log((label ?? '').padEnd(26) + table.map((column) => (column[row]?.[1] ?? '').padEnd(24)).join(''))
  }
  console.log(
    `\nffmpeg: -vn -c copy of the same file. CPU is user + system. Ours is measured on the workerd processes, in which` +
      ` the\nlocal stand-in for R2 runs as well; it hashes and copies what is stored, so storing is shown apart, and sending the` +
      ` chunks\nto a server outside the process, as hosted R2 is one, stands for the worker's own share. Medians` +
      ` of ${rounds}\nrounds in a fresh process each, ours and ffmpeg in turn; the ratio with its lowest and highest` +
      ` round; memory is the\nhighest of all rounds.`,
  )
}

function fixed(value: number): string {
  return value.toFixed(2)
}

async function measureAll({ folder, values }: Bench) {
  const rounds = Number(values['rounds'])
  const sink = await openSink()
  try {
    const videos: Result[] = []
    for (const plan of [TEN_MINUTES, ONE_HOUR, ...(values['all'] ? [THREE_HOURS] : [])]) {
      videos.push(await measureVideo(folder, plan, { rounds, sinkUrl: sink.url }))
    }
    return { rounds, videos }
  } finally {
    await sink.close()
  }
}

/** Our own reader of a video's audio beside ffmpeg. */
export const demux: Scenario<Awaited<ReturnType<typeof measureAll>>> = {
  options: { all: { type: 'boolean' }, rounds: { type: 'string', default: '3' } },
  tools: ['ffmpeg'],
  measure: measureAll,
  toJson: (figures) => figures,
  print: ({ videos, rounds }) => printTable(videos, rounds),
  rows({ videos }) {
    const riseMb = videos.find(({ name }) => name === ONE_HOUR.name)?.peakRiseMb ?? 0
    const value = `${riseMb.toFixed(0)} MB (≤ ${MAX_RISE_MB})`
    return [{ what: `${ONE_HOUR.name}: peak memory above idle`, value, isMet: riseMb <= MAX_RISE_MB }]
  },
}
