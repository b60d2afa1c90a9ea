import { stat } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { readStanding, readTally } from '../pipeline/measure.ts'
import { watchRise } from '../processes.ts'
import { waitFor } from '../rounds.ts'
import { sum } from '../scenario.ts'
import { provideVideo } from '../video.ts'
import type { UploadBench } from './answers.ts'
import type { ServedProduct } from './line.ts'

type BenchWindow = { bench: UploadBench }

/** Opens the bench's page with a video picked, if there is one, and closes it after some work. */
async function withPage<T>(
  { browser, url, video }: { browser: Browser; url: string; video?: string },
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const page = await browser.newPage()
  page.on('pageerror', (error) => console.error(`· the page fails: ${error.message}`))
  await page.goto(url)
  if (video !== undefined) await page.getByLabel('Video').setInputFiles(video)
  const result = await work(page)
  await page.close()
  return result
}

const MEMORY_SAMPLE_MS = 50

/** Does some work and measures how much more memory the browser held at most meanwhile, in MB. */
async function measureMemory<T>(browser: Browser, work: () => Promise<T>) {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const renderers = processInfo.filter(({ type }) => type === 'renderer')
  const watch = (processes: typeof processInfo) =>
    watchRise(
      processes.map(({ id }) => id),
      MEMORY_SAMPLE_MS,
    )
  const [endRenderers, endAll] = [watch(renderers), watch(processInfo)]
  const result = await work()
  return { result, rendererMb: endRenderers(), allMb: endAll() }
}

/** Cuts the audio of a picked video in the browser, on a page of its own. */
export async function measureExtraction(browser: Browser, url: string, minutes: number) {
  const video = await provideVideo(minutes)
  const { size: sizeBytes } = await stat(video)
  return withPage({ browser, url, video }, async (page) => {
    const cut = () => page.evaluate(() => (window as unknown as BenchWindow).bench.cut({ digests: false }))
    const { result, rendererMb, allMb } = await measureMemory(browser, cut)
    const { chunks, firstChunkMs, allChunksMs, longestWaitMs, longTasksMs } = result
    const idle = await page.evaluate((ms) => (window as unknown as BenchWindow).bench.idle(ms), allChunksMs)
    return {
      minutes,
      sizeBytes,
      audioBytes: sum(chunks.map((chunk) => chunk.sizeBytes)),
      chunks: chunks.length,
      firstChunkMs,
      allChunksMs,
      /** The longest that the page's own thread did not answer. */
      longestWaitMs,
      longTasks: longTasksMs.length,
      /** The same for as long while the page has nothing to do: what the machine itself does to it. */
      idleLongestWaitMs: idle.longestWaitMs,
      idleLongTasks: idle.longTasksMs.length,
      rendererMb,
      allMb,
    }
  })
}

/** How often a module is looked at, past the line. */
export const POLL_MS = 50
const WAIT = { everyMs: POLL_MS, withinMs: 5 * 60_000 }

/** Sends a video over the line as the page does, and watches what becomes of it until it is READY. */
export async function measureJourney(
  product: ServedProduct,
  browser: Browser,
  { video, isAudioFirst }: { video: string; isAudioFirst: boolean },
) {
  const url = product.pageUrl
  return withPage({ browser, url, video }, async (page) => {
    const sentBefore = product.line.sentBytes
    const beganAtMs = Date.now()
    const sent = page.evaluate((how) => (window as unknown as BenchWindow).bench.send(how), { isAudioFirst })
    const asked = waitFor(() => page.evaluate(() => (window as unknown as BenchWindow).bench.sending.moduleId), WAIT)
    // The report comes at the end, unless sending fails at once.
    const moduleId = await Promise.race([asked, sent.then((report) => report.moduleId)])
    const first = waitFor(async () => {
      const { stepCount } = await readStanding(product, moduleId)
      return stepCount > 0 ? { atMs: Date.now(), sentBytes: product.line.sentBytes } : null
    }, WAIT)
    const [report, firstStep] = await Promise.all([sent, first])
    const sentBytes = product.line.sentBytes - sentBefore
    const ready = await waitFor(async () => {
      const standing = await readStanding(product, moduleId)
      return standing.status === 'READY' ? { ...standing, atMs: Date.now() } : null
    }, WAIT)
    await readTally(product)
    const { phase, tookMs } = report.audio ?? { phase: 'not sent', tookMs: 0 }
    const isAhead = firstStep.atMs < report.storedAtMs
    const again = ready.runs > 1 ? `, cut again (${ready.runs} runs)` : ''
    return {
      isAudioFirst,
      uploadS: report.tookMs / 1000,
      /** From the last byte in storage to READY. */
      readyAfterS: (ready.atMs - report.storedAtMs) / 1000,
      /** Share of the upload's bytes that had gone up when the first step was there; over 1: after it. */
      firstStepShare: isAhead ? (firstStep.sentBytes - sentBefore) / sentBytes : 1,
      /** When the first step was there, from the beginning of the upload. */
      firstStepS: (firstStep.atMs - beganAtMs) / 1000,
      /** What became of the audio, and when all of it was sent. */
      audio: `${phase} after ${(tookMs / 1000).toFixed(1)} s${again}`,
      stepCount: ready.stepCount,
    }
  })
}

/** The same number of bytes over a line that loses some: seconds of one PUT, and in the parts of the upload page. */
export async function measureParallel(product: ServedProduct, browser: Browser, sizeBytes: number) {
  const send = (isWhole: boolean) =>
    withPage({ browser, url: product.pageUrl }, async (page) => {
      const how = { sizeBytes, isWhole }
      return (await page.evaluate((what) => (window as unknown as BenchWindow).bench.sendBytes(what), how)) / 1000
    })
  return { sizeBytes, wholeS: await send(true), partsS: await send(false) }
}
