import { stat } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { readStanding, readTally } from '../pipeline/measure.ts'
import { watchRise } from '../processes.ts'
import { waitFor } from '../rounds.ts'
import { sum } from '../scenario.ts'
import { provideVideo } from '../video.ts'
import type { ServedProduct } from './line.ts'
import type { UploadBench } from './page/main.ts'

type Method = Exclude<keyof UploadBench, 'sending' | 'inspect'>
type AskPage = <Name extends Method>(
  name: Name,
  how: Parameters<UploadBench[Name]>[0],
) => Promise<Awaited<ReturnType<UploadBench[Name]>>>

/** Opens the bench's page with a video picked, if there is one, and closes it after some work. */
async function withPage<T>(
  { browser, line, video }: { browser: Browser; line: ServedProduct['line']; video?: string },
  work: (ask: AskPage, findModuleId: () => Promise<string | null>) => Promise<T>,
): Promise<T> {
  const page = await browser.newPage()
  page.on('pageerror', (error) => console.error(`· the page fails: ${error.message}`))
  await page.goto(`${line.origin}/`)
  if (video !== undefined) await page.getByLabel('Video').setInputFiles(video)
  const ask: AskPage = (name, how) => page.evaluate(`bench.${name}(${JSON.stringify(how)})`)
  const result = await work(ask, () => page.evaluate('bench.sending.moduleId'))
  await page.close()
  return result
}

const MEMORY_SAMPLE_MS = 50

/** Does some work and measures how much more memory the browser held at most meanwhile, in MB. */
async function measureMemory<T>(browser: Browser, work: () => Promise<T>) {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const watch = (kind: string) => {
    const watched = processInfo.filter(({ type }) => kind === 'all' || type === kind)
    const pids = watched.map(({ id }) => id)
    return watchRise(pids, MEMORY_SAMPLE_MS)
  }
  const [endRenderers, endAll] = [watch('renderer'), watch('all')]
  const result = await work()
  return { result, rendererMb: endRenderers(), allMb: endAll() }
}

/** Cuts the audio of a picked video in the browser, on a page of its own. */
export async function measureExtraction({ line }: ServedProduct, browser: Browser, minutes: number) {
  const video = await provideVideo(minutes)
  const { size: sizeBytes } = await stat(video)
  return withPage({ browser, line, video }, async (ask) => {
    const { result, rendererMb, allMb } = await measureMemory(browser, () => ask('cut', { digests: false }))
    const { chunks, firstChunkMs, allChunksMs, longestWaitMs, longTasksMs } = result
    const idle = await ask('idle', allChunksMs)
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
  const { line } = product
  return withPage({ browser, line, video }, async (ask, findModuleId) => {
    const [sentBefore, beganAtMs] = [line.sentBytes, Date.now()]
    const sent = ask('send', { isAudioFirst })
    // The report comes at the end, unless sending fails at once.
    const moduleId = await Promise.race([waitFor(findModuleId, WAIT), sent.then((report) => report.moduleId)])
    const reach = (isReached: (standing: Awaited<ReturnType<typeof readStanding>>) => boolean) =>
      waitFor(async () => {
        const standing = await readStanding(product, moduleId)
        return isReached(standing) ? { ...standing, atMs: Date.now(), sentBytes: line.sentBytes } : null
      }, WAIT)
    const [report, firstStep] = await Promise.all([sent, reach(({ stepCount }) => stepCount > 0)])
    const sentBytes = line.sentBytes - sentBefore
    const ready = await reach(({ status }) => status === 'READY')
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
export async function measureParallel({ line }: ServedProduct, browser: Browser, sizeBytes: number) {
  const send = (isWhole: boolean) =>
    withPage({ browser, line }, async (ask) => (await ask('sendBytes', { sizeBytes, isWhole })) / 1000)
  return { sizeBytes, wholeS: await send(true), partsS: await send(false) }
}
