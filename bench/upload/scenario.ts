import { join } from 'node:path'
import { UPLOAD_PART_BYTES } from '#contract/limits.ts'
import { openBrowser } from '../browser.ts'
import { PROFILES, serialWrittenMs } from '../pipeline/floor.ts'
import {
  type Bench,
  inMb,
  inMs,
  inS,
  logProgress,
  type Row,
  ratioGate,
  ratioOfRounds,
  row,
  type Scenario,
} from '../scenario.ts'
import { provideVideo } from '../video.ts'
import { buildPage } from './build-page.ts'
import { behindLine, losing, throttledTo } from './line.ts'
import { measureExtraction, measureJourney, measureParallel, POLL_MS } from './measure.ts'

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
const BITS_PER_MBIT = 1_000_000

/**
 * How far a figure may go. READY after the last byte is compared with the same upload whose audio comes with the video;
 * the page's thread with 50 ms, or on a noisy machine with the same page while it has nothing to do.
 */
const GATES = { readyShareMax: 0.12, longestWaitMs: 50, longestWaitOverIdle: 2 }

/** Everything over lines of their own, one thing after the other: side by side they would slow each other down. */
async function measureAll(bench: Bench) {
  const { uplinkMbit, minutes, longMinutes, lossShare: share, roundTripMs, lossyBytes } = CONDITIONS
  logProgress('building the page, opening a browser')
  const assets = join(bench.folder, 'assets')
  await buildPage(assets)
  const browser = await openBrowser()
  const openPace = throttledTo((uplinkMbit * BITS_PER_MBIT) / 8)
  const fast = await behindLine(bench, { assets, openPace }, async (product) => {
    logProgress(`the audio of ${longMinutes} min in the browser`)
    const extraction = await measureExtraction(product, browser, longMinutes)
    const video = await provideVideo(minutes)
    logProgress(`${minutes} min over ${uplinkMbit} Mbit/s, audio first`)
    const withAudio = await measureJourney(product, browser, { video, isAudioFirst: true })
    logProgress(`READY ${inS(withAudio.readyAfterS)} after the last byte; the same without`)
    const withoutAudio = await measureJourney(product, browser, { video, isAudioFirst: false })
    logProgress(`READY ${inS(withoutAudio.readyAfterS)} after the last byte`)
    return { extraction, withAudio, withoutAudio }
  })
  /** Seconds from `complete` until all steps are there, where transcribing begins then, as it is usually built; computed. */
  const usualStepsS = serialWrittenMs(PROFILES.mid, { durationMs: minutes * 60_000, cutMs: 0 }) / 1_000
  logProgress('one PUT and parts over a line that loses segments: about four minutes')
  const lossy = { assets, openPace: losing({ share, roundTripMs }), answerDelayMs: roundTripMs }
  const parallel = await behindLine(bench, lossy, (product) => measureParallel(product, browser, lossyBytes))
  await browser.close()
  return { ...fast, usualStepsS, parallel }
}

type Figures = Awaited<ReturnType<typeof measureAll>>

/** Whether nothing kept the page's own thread from answering, beyond what the machine does to an idle page. */
function threadRow({ longestWaitMs, longTasks, idleLongestWaitMs, idleLongTasks }: Figures['extraction']): Row {
  const waitMaxMs = Math.max(GATES.longestWaitMs, GATES.longestWaitOverIdle * idleLongestWaitMs)
  const isFree = longestWaitMs <= waitMaxMs && (longTasks === 0 || idleLongTasks > 0)
  const limit = `≤ ${inMs(waitMaxMs)}; idle: ${inMs(idleLongestWaitMs)}, ${idleLongTasks}`
  const value = `${inMs(longestWaitMs)}, ${longTasks} long tasks (${limit})`
  return { what: "Longest that the page's own thread was busy meanwhile", value, verdict: isFree ? 'met' : 'missed' }
}

const inMib = (bytes: number) => inMb(bytes / 1024 / 1024)

function listRows(figures: Figures): Row[] {
  const { extraction: each, withAudio, withoutAudio, usualStepsS, parallel } = figures
  const { minutes, uplinkMbit, lossShare, roundTripMs } = CONDITIONS
  const { sizeBytes, wholeS, partsS } = parallel
  const cut = `${inMib(each.sizeBytes)} → ${inMib(each.audioBytes)}, ${each.chunks} chunks`
  // Both times are rounded up to the next look at the module.
  const readyShare = ratioOfRounds(
    [0, POLL_MS / 1000].map((early) => ({ own: withAudio.readyAfterS - early, other: withoutAudio.readyAfterS })),
  )
  const last = 'Last video byte to READY'
  const share = ({ firstStepShare, firstStepS }: typeof withAudio) =>
    `${(firstStepShare * 100).toFixed(0)} % (after ${inS(firstStepS)})`
  const took = `${inS(each.allChunksMs / 1000)}, first chunk ${inMs(each.firstChunkMs)}`
  const lossy = `${inMib(sizeBytes)} with ${roundTripMs} ms and ${lossShare * 100} % loss`
  const faster = `${inS(partsS)} against ${inS(wholeS)}: ${(wholeS / partsS).toFixed(1)} times as fast`
  const uploaded = `${inS(withAudio.uploadS)}, without audio first ${inS(withoutAudio.uploadS)}`
  const firstSteps = `${share(withAudio)}, without audio first ${share(withoutAudio)}`
  return [
    row(`Audio of ${each.minutes} min cut in the browser (${cut})`, took),
    threadRow(each),
    row('Memory above idle meanwhile', `page ${inMb(each.rendererMb)}, whole browser ${inMb(each.allMb)}`),
    row(`${minutes} min over ${uplinkMbit} Mbit/s: the upload takes`, uploaded),
    row(`${last}, audio first`, `${withAudio.readyAfterS.toFixed(2)} s; the audio was ${withAudio.audio}`),
    row(`${last}, without`, inS(withoutAudio.readyAfterS)),
    ratioGate(`${last}: with audio first / without`, readyShare, { atMost: GATES.readyShareMax }),
    row(`${last}, transcribed after the upload as usual, computed`, inS(usualStepsS)),
    row('Upload done when the first step is there', firstSteps),
    row(`${lossy}: parts against one PUT`, faster),
  ]
}

/** An upload over a home's line: how soon its steps are there, and what it does to the page. */
export const scenario: Scenario = {
  tools: ['ffmpeg'],
  needsBrowser: true,
  async measure(bench) {
    const figures = await measureAll(bench)
    return { json: { conditions: CONDITIONS, ...figures }, table: listRows(figures) }
  },
}
