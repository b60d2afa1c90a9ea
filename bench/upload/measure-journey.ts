import { setTimeout as sleep } from 'node:timers/promises'
import { askWorker } from '../shared/ask-worker.ts'
import type { UploadBench, UploadStanding } from './answers.ts'
import type { BenchBrowser } from './open-browser.ts'
import type { ServedProduct } from './serve-behind-line.ts'

/** How often a module is looked at, past the line. */
export const POLL_MS = 50
const READY_WITHIN_MS = 5 * 60_000

type BenchWindow = { bench: UploadBench }

export interface Journey {
  isSoundFirst: boolean
  uploadS: number
  /** From the last byte in storage to READY. */
  readyAfterS: number
  /** Share of the upload's bytes that had gone up when the first step was there; over 1: after it. */
  firstStepShare: number
  /** When the first step was there, from the beginning of the upload. */
  firstStepS: number
  /** What became of the sound, and when all of it was sent. */
  sound: string
  stepCount: number
}

/** Sends a video over the line as the page does, and watches what becomes of it until it is READY. */
export async function measureJourney(
  product: ServedProduct,
  browser: BenchBrowser,
  { video, isSoundFirst }: { video: string; isSoundFirst: boolean },
): Promise<Journey> {
  const page = await browser.openPage(product.pageUrl)
  await page.getByLabel('Video').setInputFiles(video)
  const sentBefore = product.line.sentBytes
  const beganAtMs = Date.now()
  const sent = page.evaluate((how) => (window as unknown as BenchWindow).bench.send(how), { isSoundFirst })
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
  if (standing.complaints.length > 0) throw new Error(`The worker complains: ${standing.complaints.join('\n')}`)
  const { phase, tookMs } = report.sound ?? { phase: 'not sent', tookMs: 0 }
  const isAhead = firstStep.atMs < report.storedAtMs
  return {
    isSoundFirst,
    uploadS: report.tookMs / 1000,
    readyAfterS: (readyAtMs - report.storedAtMs) / 1000,
    firstStepShare: isAhead ? (firstStep.sentBytes - sentBefore) / sentBytes : 1,
    firstStepS: (firstStep.atMs - beganAtMs) / 1000,
    sound: `${phase} after ${(tookMs / 1000).toFixed(1)} s${standing.runs > 1 ? `, cut anew (${standing.runs} runs)` : ''}`,
    stepCount: standing.stepCount,
  }
}

function noteNow(product: ServedProduct): { atMs: number; sentBytes: number } {
  return { atMs: Date.now(), sentBytes: product.line.sentBytes }
}

async function standingOf(product: ServedProduct, moduleId: string): Promise<UploadStanding> {
  return askWorker<UploadStanding>(`${product.url}/api/bench/modules/${moduleId}`)
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
