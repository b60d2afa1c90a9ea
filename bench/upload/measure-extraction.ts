import { stat } from 'node:fs/promises'
import { provideVideo } from '../pipeline/videos.ts'
import type { UploadBench } from './answers.ts'
import type { BenchBrowser } from './open-browser.ts'

export interface Extraction {
  minutes: number
  sizeBytes: number
  soundBytes: number
  parts: number
  firstPartMs: number
  allPartsMs: number
  /** The longest that the page's own thread did not answer. */
  longestWaitMs: number
  longTasks: number
  /** The same for as long while the page has nothing to do: what the machine itself does to it. */
  idleLongestWaitMs: number
  idleLongTasks: number
  rendererMb: number
  allMb: number
}

/** Cuts the sound of a picked video in the browser, on a page of its own. */
export async function measureExtraction(browser: BenchBrowser, url: string, minutes: number): Promise<Extraction> {
  const path = await provideVideo(minutes)
  const page = await browser.openPage(url)
  await page.getByLabel('Video').setInputFiles(path)
  const { result, rendererMb, allMb } = await browser.measureMemory(() =>
    page.evaluate(() => (window as unknown as { bench: UploadBench }).bench.cut({ digests: false })),
  )
  const idle = await page.evaluate(
    (ms) => (window as unknown as { bench: UploadBench }).bench.idle(ms),
    result.allPartsMs,
  )
  await page.close()
  const { parts, firstPartMs, allPartsMs, longestWaitMs, longTasksMs } = result
  return {
    minutes,
    sizeBytes: (await stat(path)).size,
    soundBytes: parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    parts: parts.length,
    firstPartMs,
    allPartsMs,
    longestWaitMs,
    longTasks: longTasksMs.length,
    idleLongestWaitMs: idle.longestWaitMs,
    idleLongTasks: idle.longTasksMs.length,
    rendererMb,
    allMb,
  }
}
