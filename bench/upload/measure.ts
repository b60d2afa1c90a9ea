import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { watchRise } from '../processes.ts'
import { askWorker } from '../serve.ts'
import { provideVideo } from '../video.ts'
import type { UploadBench, UploadStanding } from './answers.ts'
import type { ServedProduct } from './line.ts'

export interface Extraction {
  minutes: number
  sizeBytes: number
  audioBytes: number
  chunks: number
  firstChunkMs: number
  allChunksMs: number
  /** The longest that the page's own thread did not answer. */
  longestWaitMs: number
  longTasks: number
  /** The same for as long while the page has nothing to do: what the machine itself does to it. */
  idleLongestWaitMs: number
  idleLongTasks: number
  rendererMb: number
  allMb: number
}

const MEMORY_SAMPLE_MS = 50

async function openPage(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage()
  page.on('pageerror', (error) => console.error(`· the page fails: ${error.message}`))
  await page.goto(url)
  return page
}

/** Does some work and measures how much more memory the browser held at most meanwhile, in MB. */
async function measureMemory<T>(browser: Browser, work: () => Promise<T>) {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const renderers = processInfo.filter(({ type }) => type === 'renderer')
  const ends = [renderers, processInfo].map((list) =>
    watchRise(
      list.map(({ id }) => id),
      MEMORY_SAMPLE_MS,
    ),
  )
  const result = await work()
  const [rendererMb = Number.NaN, allMb = Number.NaN] = ends.map((end) => end())
  return { result, rendererMb, allMb }
}

/** Cuts the audio of a picked video in the browser, on a page of its own. */
export async function measureExtraction(browser: Browser, url: string, minutes: number): Promise<Extraction> {
  const path = await provideVideo(minutes)
  const page = await openPage(browser, url)
  await page.getByLabel('Video').setInputFiles(path)
  const { result, rendererMb, allMb } = await measureMemory(browser, () =>
    page.evaluate(() => (window as unknown as { bench: UploadBench }).bench.cut({ digests: false })),
  )
  const idle = await page.evaluate(
    (ms) => (window as unknown as { bench: UploadBench }).bench.idle(ms),
    result.allChunksMs,
  )
  await page.close()
  const { chunks, firstChunkMs, allChunksMs, longestWaitMs, longTasksMs } = result
  return {
    minutes,
    sizeBytes: (await stat(path)).size,
    audioBytes: chunks.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    chunks: chunks.length,
    firstChunkMs,
    allChunksMs,
    longestWaitMs,
    longTasks: longTasksMs.length,
    idleLongestWaitMs: idle.longestWaitMs,
    idleLongTasks: idle.longTasksMs.length,
    rendererMb,
    allMb,
  }
}

/** How often a module is looked at, past the line. */
export const POLL_MS = 50
const READY_WITHIN_MS = 5 * 60_000

type BenchWindow = { bench: UploadBench }

export interface Journey {
  isAudioFirst: boolean
  uploadS: number
  /** From the last byte in storage to READY. */
  readyAfterS: number
  /** Share of the upload's bytes that had gone up when the first step was there; over 1: after it. */
  firstStepShare: number
  /** When the first step was there, from the beginning of the upload. */
  firstStepS: number
  /** What became of the audio, and when all of it was sent. */
  audio: string
  stepCount: number
}

/** Sends a video over the line as the page does, and watches what becomes of it until it is READY. */
export async function measureJourney(
  product: ServedProduct,
  browser: Browser,
  { video, isAudioFirst }: { video: string; isAudioFirst: boolean },
): Promise<Journey> {
  const page = await openPage(browser, product.pageUrl)
  await page.getByLabel('Video').setInputFiles(video)
  const sentBefore = product.line.sentBytes
  const beganAtMs = Date.now()
  const sent = page.evaluate((how) => (window as unknown as BenchWindow).bench.send(how), { isAudioFirst })
  const asked = waitFor(() => page.evaluate(() => (window as unknown as BenchWindow).bench.sending.moduleId))
  // The report comes at the end, unless sending fails at once.
  const moduleId = await Promise.race([asked, sent.then((report) => report.moduleId)])
  const first = waitFor(async () => ((await standingOf(product, moduleId)).stepCount > 0 ? noteNow(product) : null))
  const [report, firstStep] = await Promise.all([sent, first])
  const sentBytes = product.line.sentBytes - sentBefore
  const standing = await waitFor(async () => {
    const now = await standingOf(product, moduleId)
    if (now.status === 'FAILED') throw new Error(`The module failed: ${now.error}`)
    return now.status === 'READY' ? now : null
  })
  const readyAtMs = Date.now()
  await page.close()
  const complaints = await askWorker<string[]>(`${product.url}/api/bench/complaints`)
  if (complaints.length > 0) throw new Error(`The worker complains: ${complaints.join('\n')}`)
  const { phase, tookMs } = report.audio ?? { phase: 'not sent', tookMs: 0 }
  const isAhead = firstStep.atMs < report.storedAtMs
  return {
    isAudioFirst,
    uploadS: report.tookMs / 1000,
    readyAfterS: (readyAtMs - report.storedAtMs) / 1000,
    firstStepShare: isAhead ? (firstStep.sentBytes - sentBefore) / sentBytes : 1,
    firstStepS: (firstStep.atMs - beganAtMs) / 1000,
    audio: `${phase} after ${(tookMs / 1000).toFixed(1)} s${standing.runs > 1 ? `, cut again (${standing.runs} runs)` : ''}`,
    stepCount: standing.stepCount,
  }
}

function noteNow(product: ServedProduct): { atMs: number; sentBytes: number } {
  return { atMs: Date.now(), sentBytes: product.line.sentBytes }
}

async function standingOf(product: ServedProduct, moduleId: string): Promise<UploadStanding> {
  const sql = `SELECT status, last_error AS error, run AS runs,
      (SELECT count(*) FROM steps WHERE module_id = modules.id) AS stepCount
    FROM modules WHERE id = ?`
  const [standing] = await askWorker<UploadStanding[]>(`${product.url}/api/bench/sql`, {
    post: { sql, values: [moduleId] },
  })
  if (standing === undefined) throw new Error(`module ${moduleId} does not exist`)
  return standing
}

async function waitFor<T>(look: () => Promise<T | null>): Promise<T> {
  const untilMs = Date.now() + READY_WITHIN_MS
  while (Date.now() < untilMs) {
    const found = await look()
    if (found !== null) return found
    await sleep(POLL_MS)
  }
  throw new Error(`Nothing came within ${READY_WITHIN_MS / 1000} s`)
}

export interface Parallel {
  sizeBytes: number
  /** Seconds of one PUT of the whole. */
  wholeS: number
  /** Seconds as the upload page sends it, in parts. */
  partsS: number
}

/** The same number of bytes over a line that loses some, in one PUT and in the parts of the upload page. */
export async function measureParallel(product: ServedProduct, browser: Browser, sizeBytes: number): Promise<Parallel> {
  const send = async (isWhole: boolean) => {
    const page = await openPage(browser, product.pageUrl)
    const how = { sizeBytes, isWhole }
    const tookMs = await page.evaluate(
      (what) => (window as unknown as { bench: UploadBench }).bench.sendBytes(what),
      how,
    )
    await page.close()
    return tookMs / 1000
  }
  return { sizeBytes, wholeS: await send(true), partsS: await send(false) }
}
