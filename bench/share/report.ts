import type { Noise } from '../shared/noise.ts'
import { noiseRow, printRows, type Row } from '../shared/print-rows.ts'
import type { Answers } from './measure-answers.ts'
import { type Paints, PHONE } from './measure-browser.ts'
import type { Bytes } from './measure-bytes.ts'
import { CROWD, type Crowd } from './measure-crowd.ts'

export interface Figures {
  bytes: Bytes
  paints: Paints
  answers: Answers
  crowd: Crowd
  noise: Noise
}

/** How far a figure may go. */
const GATES = { usableScriptKb: 25, allScriptKb: 65, originRuns: 1, layoutShift: 0.1, largestPaintMs: 2_500 }

/** @returns whether every gate is met */
export function printReport(figures: Figures): boolean {
  const rows = [...byteRows(figures), ...paintRows(figures), ...answerRows(figures), ...crowdRows(figures)]
  return printRows([...rows, noiseRow(figures.noise)])
}

function byteRows({ bytes }: Figures): Row[] {
  const kb = (value: number) => `${value.toFixed(1)} kB gz`
  const gated = (what: string, name: 'usableScriptKb' | 'allScriptKb'): Row => ({
    what,
    value: `${kb(bytes[name])} (≤ ${GATES[name]})`,
    isMet: bytes[name] <= GATES[name],
  })
  return [
    gated('JavaScript before the page is usable', 'usableScriptKb'),
    gated('JavaScript in all', 'allScriptKb'),
    { what: 'CSS before the first paint, in all', value: `${kb(bytes.firstStyleKb)}, ${kb(bytes.allStyleKb)}` },
    { what: 'HTML with the module in it', value: kb(bytes.htmlKb) },
  ]
}

function paintRows({ paints }: Figures): Row[] {
  const { runs, cpuSlowdown, downMbit, latencyMs } = PHONE
  const phone = `Fast 4G (${downMbit} Mbit/s, ${latencyMs} ms), CPU ×${cpuSlowdown}, median of ${runs}:`
  const ms = (value: number) => `${value.toFixed(0)} ms`
  return [
    {
      what: `${phone} largest contentful paint`,
      value: `${ms(paints.largestPaintMs)} (≤ ${GATES.largestPaintMs} ms)`,
      isMet: paints.largestPaintMs <= GATES.largestPaintMs,
    },
    { what: `${phone} steps can be pressed`, value: ms(paints.usableMs) },
    { what: `${phone} interactive`, value: ms(paints.interactiveMs) },
    {
      what: `${phone} cumulative layout shift`,
      value: `${paints.layoutShift.toFixed(3)} (≤ ${GATES.layoutShift})`,
      isMet: paints.layoutShift <= GATES.layoutShift,
    },
    { what: `${phone} click to first frame`, value: ms(paints.clickToFrameMs) },
    { what: `${phone} the same, pressed as early as can be`, value: ms(paints.earlyClickToFrameMs) },
  ]
}

function answerRows({ answers: { firstByteMs, requestsPerS } }: Figures): Row[] {
  const ratio = (own: number, other: number) => `${(own / other).toFixed(2)}×`
  return [
    {
      what: 'First byte of a cached page against a static file and a bare route',
      value: `${firstByteMs.page.toFixed(2)} ms: ${ratio(firstByteMs.page, firstByteMs.file)} of ${firstByteMs.file.toFixed(2)} ms, ${ratio(firstByteMs.page, firstByteMs.bare)} of ${firstByteMs.bare.toFixed(2)} ms`,
    },
    {
      what: 'Requests per second of a cached page against the same',
      value: `${requestsPerS.page.toFixed(0)}: ${ratio(requestsPerS.page, requestsPerS.file)} of ${requestsPerS.file.toFixed(0)}, ${ratio(requestsPerS.page, requestsPerS.bare)} of ${requestsPerS.bare.toFixed(0)}`,
    },
  ]
}

function crowdRows({ crowd: { allToldMs, originRuns, allServedMs } }: Figures): Row[] {
  const count = CROWD.toLocaleString('en')
  return [
    { what: `${count} sockets of one module: all have heard of a change after`, value: `${allToldMs.toFixed(0)} ms` },
    {
      what: `${count} simultaneous first hits on a cold page: runs of the worker behind the cache`,
      value: `${originRuns} (≤ ${GATES.originRuns}), all served after ${allServedMs.toFixed(0)} ms`,
      isMet: originRuns <= GATES.originRuns,
    },
  ]
}
