import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { serveOnFreePort } from '#local/http/serve-on-free-port.ts'
import { findWorkerds, measureUsage, type Usage } from '../processes.ts'
import { alignCells, formatRatio, gate, inMb, median, ratioOfRounds, type Scenario } from '../scenario.ts'
import { type ServedWorker, serveWorker } from '../serve.ts'
import { ffmpeg, provideVideo, storeVideo } from '../video.ts'

const TEN_MINUTES = { name: '10 min', minutes: 10, framesPerS: 30, videoKbps: 2_200 }
const ONE_HOUR = { name: '60 min / 1 GB', minutes: 60, framesPerS: 30, videoKbps: 2_200 }
const THREE_HOURS = { name: '3 h, 60 fps', minutes: 180, framesPerS: 60, videoKbps: 1_200 }
/** For the 60-minute video: what an isolate of 128 MB leaves beside the worker itself. */
const MAX_RISE_MB = 80

interface Slice {
  nextMs: number | null
  nextChunk: number
  durationMs: number
  reads: number
  fetchedBytes: number
}

/** One video through ours, through ffmpeg, and through what ours is made of, round after round. */
async function measureVideo(
  { name, minutes, ...plan }: typeof TEN_MINUTES,
  { folder, rounds, sinkUrl }: { folder: string; rounds: number; sinkUrl: string },
) {
  const video = await provideVideo(minutes, plan)
  const state = join(folder, `${minutes}-state`)
  await withWorker(state, ({ url }) => storeVideo(`${url}/store`, video))
  const send = `&sink=${encodeURIComponent(sinkUrl)}`
  const measureRound = async (): Promise<Round> => {
    const { result: cut, usage: cutting } = await measureInWorker(state, (worker) => cutWhole(worker, ''))
    const ffmpegUsage = await measureFfmpeg(video, join(folder, 'audio.m4a'))
    const { usage: reading } = await measureInWorker(state, (worker) => worker.ask('/read'))
    const { usage: sending } = await measureInWorker(state, (worker) => cutWhole(worker, send))
    const { usage: storing } = await measureInWorker(state, (worker) => cutWhole(worker, '&store'))
    return { cutting: { ...cutting, ...cut }, reading, sending, storing, ffmpeg: ffmpegUsage }
  }
  const measured: Round[] = []
  while (measured.length < rounds) measured.push(await measureRound())
  return { name, sizeMb: (await stat(video)).size / 1e6, ...summarize(measured) }
}

/** What one round used, each in a fresh process. */
interface Round {
  cutting: Usage & Awaited<ReturnType<typeof cutWhole>>
  reading: Usage
  sending: Usage
  storing: Usage
  ffmpeg: Awaited<ReturnType<typeof measureFfmpeg>>
}

async function withWorker<T>(stateFolder: string, use: (worker: ServedWorker) => Promise<T>): Promise<T> {
  const here = import.meta.dirname
  const config = join(here, 'wrangler.toml')
  const worker = await serveWorker({ config, entrypoint: join(here, 'worker.ts'), stateFolder })
  try {
    return await use(worker)
  } finally {
    await worker.stop()
  }
}

/**
 * Runs work against a worker and accounts for what its processes used meanwhile: one runs the worker and its storage,
 * another passes requests on to it. Both are fresh, as memory that one run left behind is not the next one's idle.
 */
function measureInWorker<T>(stateFolder: string, work: (worker: ServedWorker) => Promise<T>) {
  return withWorker(stateFolder, async (worker) => {
    // The worker's own process is there once it has answered.
    await worker.ask('/idle')
    const pids = findWorkerds()
    if (pids.length === 0) throw new Error('No workerd below this process')
    return measureUsage(pids, () => work(worker))
  })
}

async function cutWhole(worker: ServedWorker, store: string) {
  const total = { slices: 0, chunks: 0, reads: 0, fetchedMb: 0 }
  let known = ''
  for (let fromMs: number | null = 0; fromMs !== null; ) {
    const slice: Slice = await worker.ask(`/slice?fromMs=${fromMs}&firstChunk=${total.chunks}${known}${store}`)
    fromMs = slice.nextMs
    known = `&knownMs=${slice.durationMs}`
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

function summarize(rounds: readonly Round[]) {
  const middle = (pick: (round: Round) => number) => median(rounds.map(pick))
  const most = (pick: (round: Round) => number) => Math.max(...rounds.map(pick))
  const ratio = ratioOfRounds(rounds.map(({ cutting, ffmpeg: other }) => ({ own: cutting.cpuS, other: other.cpuS })))
  const { slices = 0, chunks = 0, reads = 0, fetchedMb = 0 } = rounds.at(-1)?.cutting ?? {}
  return {
    slices,
    chunks,
    reads,
    fetchedMb,
    cpuS: middle(({ cutting }) => cutting.cpuS),
    wallS: middle(({ cutting }) => cutting.wallS),
    readingCpuS: middle(({ reading }) => reading.cpuS),
    storingCpuS: middle(({ storing, cutting }) => storing.cpuS - cutting.cpuS),
    ffmpegCpuS: middle((round) => round.ffmpeg.cpuS),
    ffmpegWallS: middle((round) => round.ffmpeg.wallS),
    cpuRatio: ratio.median,
    cpuRatioLowest: ratio.least,
    cpuRatioHighest: ratio.most,
    peakRiseMb: most(({ cutting }) => cutting.peakRiseMb),
    peakRiseReadingMb: most(({ reading }) => reading.peakRiseMb),
    peakRiseWithSendingMb: most(({ sending }) => sending.peakRiseMb),
    peakRiseWithStoringMb: most(({ storing }) => storing.peakRiseMb),
  }
}

type Result = Awaited<ReturnType<typeof measureVideo>>

const seconds = (s: number) => `${s.toFixed(2)} s`

const listFigures = (videos: readonly Result[]) => {
  const line = (what: string, show: (result: Result) => string) => [what, ...videos.map(show)]
  return alignCells([
    line('video', ({ name, sizeMb }) => `${name}, ${inMb(sizeMb)}`),
    line('slices, chunks', ({ slices, chunks }) => `${slices}, ${chunks}`),
    line('reads', ({ reads, fetchedMb }) => `${reads} of ${inMb(fetchedMb)}`),
    line('CPU, ours', ({ cpuS }) => seconds(cpuS)),
    line('  of that reading R2', ({ readingCpuS }) => seconds(readingCpuS)),
    line('CPU, ffmpeg', ({ ffmpegCpuS }) => seconds(ffmpegCpuS)),
    line('CPU, ours / ffmpeg', ({ cpuRatio: middle, cpuRatioLowest: least, cpuRatioHighest: most }) =>
      formatRatio({ least, median: middle, most }),
    ),
    line('wall, ours', ({ wallS }) => seconds(wallS)),
    line('wall, ffmpeg', ({ ffmpegWallS }) => seconds(ffmpegWallS)),
    line('peak memory above idle', ({ peakRiseMb }) => inMb(peakRiseMb)),
    line('  of reading R2 alone', ({ peakRiseReadingMb }) => inMb(peakRiseReadingMb)),
    line('  and chunks sent out', ({ peakRiseWithSendingMb }) => inMb(peakRiseWithSendingMb)),
    line('storing in local R2 adds', ({ storingCpuS }) => `${seconds(storingCpuS)} CPU`),
    line('  peak memory with that', ({ peakRiseWithStoringMb }) => inMb(peakRiseWithStoringMb)),
  ])
}

const explain = (rounds: number) => `
ffmpeg: -vn -c copy of the same file. CPU is user + system. Ours is measured on the workerd processes, in which the
local stand-in for R2 runs as well; it hashes and copies what is stored, so storing is shown apart, and sending the chunks
to a server outside the process, as hosted R2 is one, stands for the worker's own share. Medians of ${rounds}
rounds in a fresh process each, ours and ffmpeg in turn; the ratio with its lowest and highest round; memory is the
highest of all rounds.`

/** Our own reader of a video's audio beside ffmpeg. */
export const scenario: Scenario = {
  options: { all: { type: 'boolean' }, rounds: { type: 'string', default: '3' } },
  tools: ['ffmpeg'],
  async measure({ folder, values }) {
    const rounds = Number(values['rounds'])
    // A place outside the worker's process that takes bytes and forgets them, as hosted R2 is one.
    const sink = await serveOnFreePort(async (request) => {
      await request.arrayBuffer()
      return new Response()
    })
    const videos: Result[] = []
    for (const plan of [TEN_MINUTES, ONE_HOUR, ...(values['all'] ? [THREE_HOURS] : [])]) {
      videos.push(await measureVideo(plan, { folder, rounds, sinkUrl: `${sink.origin}/` }))
    }
    await sink.close()
    const riseMb = videos.find(({ name }) => name === ONE_HOUR.name)?.peakRiseMb ?? 0
    const memory = gate(`${ONE_HOUR.name}: peak memory above idle`, riseMb, { atMost: MAX_RISE_MB }, inMb)
    return { json: { rounds, videos }, table: [...listFigures(videos), explain(rounds), memory] }
  },
}
