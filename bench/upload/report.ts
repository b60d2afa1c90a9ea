import { UPLOAD_PART_BYTES } from '#contract/limits.ts'
import type { PeakNoise } from '../shared/noise.ts'
import { noiseRow, printRows, type Row } from '../shared/print-rows.ts'
import { judgeRatio, type RatioOfRounds, ratioOfRounds, tellRatio } from '../shared/rounds.ts'
import type { Extraction } from './measure-extraction.ts'
import { type Journey, POLL_MS } from './measure-journey.ts'
import type { Parallel } from './measure-parallel.ts'

/** What the numbers are measured with. */
export const CONDITIONS = {
  /** Of the throttled line, Mbit/s: what a home connection has upwards. */
  uplinkMbit: 20,
  minutes: 10,
  longMinutes: 60,
  lossShare: 0.01,
  roundTripMs: 100,
  /** Four parts of the upload page. */
  lossyBytes: 4 * UPLOAD_PART_BYTES,
}

export interface Figures {
  extraction: Extraction
  withSound: Journey
  withoutSound: Journey
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
function readyShareOf({ withSound, withoutSound }: Figures): RatioOfRounds {
  const lookS = POLL_MS / 1000
  const rounds = [0, lookS].map((early) => ({ own: withSound.readyAfterS - early, other: withoutSound.readyAfterS }))
  return ratioOfRounds(rounds)
}

/** What `--json` tells of the gates. */
export function gatesOf(figures: Figures) {
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

/** @returns whether every gate is met */
export function printReport(figures: Figures): boolean {
  const rows = [...extractionRows(figures), ...journeyRows(figures), ...parallelRows(figures)]
  return printRows([...rows, noiseRow(figures.noise)])
}

function extractionRows(figures: Figures): Row[] {
  const { extraction: each } = figures
  const { waitMaxMs, isThreadFree } = gatesOf(figures)
  const { sizeBytes, soundBytes, parts, longestWaitMs, longTasks } = each
  return [
    {
      what: `Sound of ${each.minutes} min cut in the browser (${megabytes(sizeBytes)} → ${megabytes(soundBytes)}, ${parts} parts)`,
      value: `${(each.allPartsMs / 1000).toFixed(1)} s, first part ${each.firstPartMs.toFixed(0)} ms`,
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
  const { withSound, withoutSound, usualReadyS } = figures
  const { readyShare, isReadySoon } = gatesOf(figures)
  const { minutes, uplinkMbit } = CONDITIONS
  const line = `${minutes} min over ${uplinkMbit} Mbit/s`
  const seconds = (s: number) => `${s.toFixed(1)} s`
  return [
    {
      what: `${line}: the upload takes`,
      value: `${seconds(withSound.uploadS)}, without sound first ${seconds(withoutSound.uploadS)}`,
    },
    {
      what: 'Last video byte to READY, sound first',
      value: `${withSound.readyAfterS.toFixed(2)} s; the sound was ${withSound.sound}`,
    },
    { what: 'Last video byte to READY, without', value: seconds(withoutSound.readyAfterS) },
    {
      what: 'Last video byte to READY: with sound first / without',
      value: `${tellRatio(readyShare)} (≤ ${GATES.readyShareMax})`,
      isMet: isReadySoon,
    },
    { what: 'Last video byte to READY, transcribed after the upload as usual', value: seconds(usualReadyS) },
    {
      what: 'Upload done when the first step is there',
      value: `${(withSound.firstStepShare * 100).toFixed(0)} % (after ${seconds(withSound.firstStepS)}), without sound first ${(withoutSound.firstStepShare * 100).toFixed(0)} % (after ${seconds(withoutSound.firstStepS)})`,
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
