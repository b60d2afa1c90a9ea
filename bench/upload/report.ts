import { UPLOAD_PART_BYTES } from '#contract/limits.ts'
import type { PeakNoise } from '../shared/noise.ts'
import { noiseRow, printRows, type Row } from '../shared/print-rows.ts'
import type { Extraction } from './measure-extraction.ts'
import type { Journey } from './measure-journey.ts'
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

/** How far a figure may go. */
const GATES = { readyAfterS: 1, longestWaitMs: 50 }

/** @returns whether every gate is met */
export function printReport(figures: Figures): boolean {
  const rows = [...extractionRows(figures), ...journeyRows(figures), ...parallelRows(figures)]
  return printRows([...rows, noiseRow(figures.noise)])
}

function extractionRows({ extraction: each }: Figures): Row[] {
  const { sizeBytes, soundBytes, parts, longestWaitMs, longTasks } = each
  return [
    {
      what: `Sound of ${each.minutes} min cut in the browser (${megabytes(sizeBytes)} → ${megabytes(soundBytes)}, ${parts} parts)`,
      value: `${(each.allPartsMs / 1000).toFixed(1)} s, first part ${each.firstPartMs.toFixed(0)} ms`,
    },
    {
      what: "Longest that the page's own thread was busy meanwhile",
      value: `${longestWaitMs.toFixed(0)} ms, ${longTasks} long tasks (≤ ${GATES.longestWaitMs} ms)`,
      isMet: longestWaitMs <= GATES.longestWaitMs && longTasks === 0,
    },
    {
      what: 'Memory above idle meanwhile',
      value: `page ${each.rendererMb.toFixed(0)} MB, whole browser ${each.allMb.toFixed(0)} MB`,
    },
  ]
}

function journeyRows({ withSound, withoutSound, usualReadyS }: Figures): Row[] {
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
      value: `${withSound.readyAfterS.toFixed(2)} s (≤ ${GATES.readyAfterS} s); the sound was ${withSound.sound}`,
      isMet: withSound.readyAfterS <= GATES.readyAfterS,
    },
    { what: 'Last video byte to READY, without', value: seconds(withoutSound.readyAfterS) },
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
