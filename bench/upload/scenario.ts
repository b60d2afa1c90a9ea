import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { UPLOAD_PART_BYTES } from '#contract/limits.ts'
import { openBrowser } from '../browser.ts'
import { videoName } from '../pipeline/measure.ts'
import { measureSerial } from '../pipeline/measure-serial.ts'
import {
  type Bench,
  formatRatio,
  judgeRatio,
  logProgress,
  noiseRow,
  type PeakNoise,
  peakOf,
  type RatioOfRounds,
  type Row,
  ratioOfRounds,
  readLoad,
  type Scenario,
} from '../scenario.ts'
import { provideVideo, storeVideo } from '../video.ts'
import { behindLine, losing, type ServedProduct, throttledTo } from './line.ts'
import {
  type Extraction,
  type Journey,
  measureExtraction,
  measureJourney,
  measureParallel,
  type Parallel,
  POLL_MS,
} from './measure.ts'
import { buildPage } from './serve-page.ts'

/** What the numbers are measured with. */
const CONDITIONS = {
  /** Of the throttled line, Mbit/s: what a home connection has upwards. */
  uplinkMbit: 20,
  minutes: 10,
  longMinutes: 60,
  lossShare: 0.01,
  roundTripMs: 100,
  /** Four parts of the upload page. */
  lossyBytes: 4 * UPLOAD_PART_BYTES,
}

interface Figures {
  extraction: Extraction
  withAudio: Journey
  withoutAudio: Journey
  /** Seconds from `complete` to READY of a pipeline as it is usually built, which begins to transcribe then. */
  usualReadyS: number
  parallel: Parallel
  noise: PeakNoise
}

/**
 * How far a figure may go. READY after the last byte is compared with the same upload whose audio comes with the video;
 * the page's thread with 50 ms, or on a noisy machine with the same page while it has nothing to do.
 */
const GATES = { readyShareMax: 0.12, longestWaitMs: 50, longestWaitOverIdle: 2 }

/** Both times are rounded up to the next look at the module. */
function readyShareOf({ withAudio, withoutAudio }: Figures): RatioOfRounds {
  const lookS = POLL_MS / 1000
  const rounds = [0, lookS].map((early) => ({ own: withAudio.readyAfterS - early, other: withoutAudio.readyAfterS }))
  return ratioOfRounds(rounds)
}

/** The gates, for `--json` and for the table. */
function gatesOf(figures: Figures) {
  const { longestWaitMs, longTasks, idleLongestWaitMs, idleLongTasks } = figures.extraction
  const waitMaxMs = Math.max(GATES.longestWaitMs, GATES.longestWaitOverIdle * idleLongestWaitMs)
  const readyShare = readyShareOf(figures)
  return {
    readyShare,
    readyShareMax: GATES.readyShareMax,
    isReadySoon: judgeRatio(readyShare, { atMost: GATES.readyShareMax }) !== 'missed',
    waitMaxMs,
    isThreadFree: longestWaitMs <= waitMaxMs && (longTasks === 0 || idleLongTasks > 0),
  }
}

function extractionRows(figures: Figures): Row[] {
  const { extraction: each } = figures
  const { waitMaxMs, isThreadFree } = gatesOf(figures)
  const { sizeBytes, audioBytes, chunks, longestWaitMs, longTasks } = each
  return [
    {
      what: `Audio of ${each.minutes} min cut in the browser (${megabytes(sizeBytes)} → ${megabytes(audioBytes)}, ${chunks} chunks)`,
      value: `${(each.allChunksMs / 1000).toFixed(1)} s, first chunk ${each.firstChunkMs.toFixed(0)} ms`,
    },
    {
      what: "Longest that the page's own thread was busy meanwhile",
      value: `${longestWaitMs.toFixed(0)} ms, ${longTasks} long tasks (≤ ${waitMaxMs.toFixed(0)} ms; idle: ${each.idleLongestWaitMs.toFixed(0)} ms, ${each.idleLongTasks})`,
      isMet: isThreadFree,
    },
    {
      what: 'Memory above idle meanwhile',
      value: `page ${each.rendererMb.toFixed(0)} MB, whole browser ${each.allMb.toFixed(0)} MB`,
    },
  ]
}

function journeyRows(figures: Figures): Row[] {
  const { withAudio, withoutAudio, usualReadyS } = figures
  const { readyShare, isReadySoon } = gatesOf(figures)
  const { minutes, uplinkMbit } = CONDITIONS
  const line = `${minutes} min over ${uplinkMbit} Mbit/s`
  const seconds = (s: number) => `${s.toFixed(1)} s`
  return [
    {
      what: `${line}: the upload takes`,
      value: `${seconds(withAudio.uploadS)}, without audio first ${seconds(withoutAudio.uploadS)}`,
    },
    {
      what: 'Last video byte to READY, audio first',
      value: `${withAudio.readyAfterS.toFixed(2)} s; the audio was ${withAudio.audio}`,
    },
    { what: 'Last video byte to READY, without', value: seconds(withoutAudio.readyAfterS) },
    {
      what: 'Last video byte to READY: with audio first / without',
      value: `${formatRatio(readyShare)} (≤ ${GATES.readyShareMax})`,
      isMet: isReadySoon,
    },
    { what: 'Last video byte to READY, transcribed after the upload as usual', value: seconds(usualReadyS) },
    {
      what: 'Upload done when the first step is there',
      value: `${(withAudio.firstStepShare * 100).toFixed(0)} % (after ${seconds(withAudio.firstStepS)}), without audio first ${(withoutAudio.firstStepShare * 100).toFixed(0)} % (after ${seconds(withoutAudio.firstStepS)})`,
    },
  ]
}

function parallelRows({ parallel: { sizeBytes, wholeS, partsS } }: Figures): Row[] {
  const { lossShare, roundTripMs } = CONDITIONS
  return [
    {
      what: `${megabytes(sizeBytes)} with ${roundTripMs} ms and ${lossShare * 100} % loss: parts against one PUT`,
      value: `${partsS.toFixed(1)} s against ${wholeS.toFixed(1)} s: ${(wholeS / partsS).toFixed(1)} times as fast`,
    },
  ]
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MB`
}

const BITS_PER_MBIT = 1_000_000

/** Everything over lines of their own, one thing after the other: side by side they would slow each other down. */
async function measureAll(bench: Bench): Promise<Figures> {
  logProgress('building the page, opening a browser')
  const assets = join(bench.folder, 'assets')
  await buildPage(assets)
  const loads = [readLoad()]
  const browser = await openBrowser()
  try {
    const { uplinkMbit, lossShare: share, roundTripMs, lossyBytes } = CONDITIONS
    const openPace = throttledTo((uplinkMbit * BITS_PER_MBIT) / 8)
    const fast = await behindLine(bench, { assets, openPace }, (product) => measureUploads(product, browser))
    loads.push(readLoad())
    const plan = { minutes: [CONDITIONS.minutes], profiles: ['mid' as const] }
    const usualReadyS = (await measureSerial(plan, bench.folder, logProgress))[0]?.readyS ?? Number.NaN
    loads.push(readLoad())
    logProgress(`${usualReadyS.toFixed(1)} s; one PUT and parts over a line that loses segments: about four minutes`)
    const lossy = { assets, openPace: losing({ share, roundTripMs }), answerDelayMs: roundTripMs }
    const parallel = await behindLine(bench, lossy, (product) => measureParallel(product, browser, lossyBytes))
    loads.push(readLoad())
    return { ...fast, usualReadyS, parallel, noise: peakOf(loads) }
  } finally {
    await browser.close()
  }
}

async function measureUploads(product: ServedProduct, browser: Browser) {
  const { uplinkMbit, minutes, longMinutes } = CONDITIONS
  logProgress(`the audio of ${longMinutes} min in the browser`)
  const extraction = await measureExtraction(browser, product.pageUrl, longMinutes)
  const video = await provideVideo(minutes)
  logProgress(`${minutes} min over ${uplinkMbit} Mbit/s, audio first`)
  const withAudio = await measureJourney(product, browser, { video, isAudioFirst: true })
  logProgress(`READY ${withAudio.readyAfterS.toFixed(1)} s after the last byte; the same without`)
  const withoutAudio = await measureJourney(product, browser, { video, isAudioFirst: false })
  logProgress(
    `READY ${withoutAudio.readyAfterS.toFixed(1)} s after the last byte; transcribed after the upload as usual`,
  )
  await storeVideo(`${product.url}/api/bench/objects/${videoName(minutes)}`, video)
  return { extraction, withAudio, withoutAudio }
}

/** An upload over a home's line: how soon its steps are there, and what it does to the page. */
export const upload: Scenario<Figures> = {
  tools: ['ffmpeg'],
  needsBrowser: true,
  measure: measureAll,
  toJson: (figures) => ({ conditions: CONDITIONS, ...figures, gates: gatesOf(figures) }),
  rows: (figures) => [
    ...extractionRows(figures),
    ...journeyRows(figures),
    ...parallelRows(figures),
    noiseRow(figures.noise),
  ],
}
