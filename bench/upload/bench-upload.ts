import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureTools, orEnd } from '#local/start/ensure-tools.ts'
import { ensureChromium } from '#local/start/find-chromium.ts'
import { videoName } from '../pipeline/measure-ours.ts'
import { measureSerial } from '../pipeline/measure-serial.ts'
import { provideVideo, storeVideo } from '../pipeline/videos.ts'
import { peakOf, readLoad } from '../shared/noise.ts'
import { tell } from '../shared/tell.ts'
import { measureExtraction } from './measure-extraction.ts'
import { measureJourney } from './measure-journey.ts'
import { measureParallel } from './measure-parallel.ts'
import { type BenchBrowser, openBrowser } from './open-browser.ts'
import { losing, throttledTo } from './open-line.ts'
import { CONDITIONS, type Figures, gatesOf, printReport } from './report.ts'
import { type ServedProduct, serveBehindLine } from './serve-behind-line.ts'
import { buildPage } from './serve-page.ts'

const { values } = parseArgs({ options: { json: { type: 'boolean' } } })
const BITS_PER_MBIT = 1_000_000

await orEnd(ensureTools(['ffmpeg', 'flite']))
await orEnd(ensureChromium())
const stateFolder = await mkdtemp(join(tmpdir(), 'adapt-bench-upload-'))
const assets = join(stateFolder, 'assets')
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    // Gigabytes; browser and worker go with this process.
    rmSync(stateFolder, { recursive: true, force: true })
    process.exit(1)
  })
}

/** Everything over lines of their own, one thing after the other: side by side they would slow each other down. */
async function measureAll(): Promise<Figures> {
  tell('building the page, opening a browser')
  await buildPage(assets)
  const loads = [readLoad()]
  const browser = await openBrowser()
  try {
    const fast = await overThrottled(browser)
    loads.push(readLoad())
    const usualReadyS = await measureUsual()
    loads.push(readLoad())
    tell(`${usualReadyS.toFixed(1)} s; one PUT and parts over a line that loses segments: about four minutes`)
    const { lossShare: share, roundTripMs, lossyBytes } = CONDITIONS
    const lossy = { openPace: losing({ share, roundTripMs }), answerDelayMs: roundTripMs }
    const parallel = await withProduct(lossy, (product) => measureParallel(product, browser, lossyBytes))
    loads.push(readLoad())
    return { ...fast, usualReadyS, parallel, noise: peakOf(loads) }
  } finally {
    await browser.close()
  }
}

async function overThrottled(browser: BenchBrowser) {
  const { uplinkMbit, minutes, longMinutes } = CONDITIONS
  const openPace = throttledTo((uplinkMbit * BITS_PER_MBIT) / 8)
  return withProduct({ openPace }, async (product) => {
    tell(`the sound of ${longMinutes} min in the browser`)
    const extraction = await measureExtraction(browser, product.pageUrl, longMinutes)
    const video = await provideVideo(minutes)
    tell(`${minutes} min over ${uplinkMbit} Mbit/s, sound first`)
    const withSound = await measureJourney(product, browser, { video, isSoundFirst: true })
    tell(`READY ${withSound.readyAfterS.toFixed(1)} s after the last byte; the same without`)
    const withoutSound = await measureJourney(product, browser, { video, isSoundFirst: false })
    tell(`READY ${withoutSound.readyAfterS.toFixed(1)} s after the last byte; transcribed after the upload as usual`)
    await storeVideo(`${product.url}/api/bench/videos/${videoName(minutes)}`, video)
    return { extraction, withSound, withoutSound }
  })
}

type Pacing = Pick<Parameters<typeof serveBehindLine>[0], 'openPace' | 'answerDelayMs'>

async function withProduct<T>(pacing: Pacing, measure: (product: ServedProduct) => Promise<T>): Promise<T> {
  const product = await serveBehindLine({ stateFolder, assets, ...pacing })
  try {
    return await measure(product)
  } finally {
    await product.stop()
  }
}

async function measureUsual(): Promise<number> {
  const plan = { minutes: [CONDITIONS.minutes], profiles: ['mid' as const] }
  const [row] = await measureSerial(plan, stateFolder, tell)
  return row?.readyS ?? Number.NaN
}

try {
  const figures = await measureAll()
  if (values.json) console.log(JSON.stringify({ conditions: CONDITIONS, ...figures, gates: gatesOf(figures) }, null, 2))
  else if (!printReport(figures)) process.exitCode = 1
} finally {
  await rm(stateFolder, { recursive: true, force: true })
}
