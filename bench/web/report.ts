import { cpus } from 'node:os'
import { readLoad } from '../shared/noise.ts'
import { printRows, type Row } from '../shared/print-rows.ts'
import type { Spread } from '../shared/statistics.ts'
import { CONDITIONS, GATES, GOOD } from './conditions.ts'
import type { ListApi } from './measure-api.ts'
import type { Dashboard } from './measure-dashboard.ts'
import type { Landing } from './measure-landing.ts'

export interface Figures {
  landing: Landing
  dashboard: Dashboard
  api: ListApi
}

/** @returns whether every gate is met */
export function printReport(figures: Figures): boolean {
  const rows = [...landingRows(figures.landing), ...dashboardRows(figures.dashboard), ...apiRows(figures.api)]
  const isMet = printRows(rows)
  const { runs, cpuSlowdown, downMbit, upMbit, latencyMs } = CONDITIONS
  console.log(
    `\nPages: ${runs} runs, least / median / most; processor ${cpuSlowdown} times as slow, ${downMbit} and ${upMbit} Mbit/s, ${latencyMs} ms a request,\n` +
      `nothing kept from earlier visits. Load average of this machine now: ${readLoad().toFixed(1)} on ${cpus().length} cores.`,
  )
  return isMet
}

function landingRows(landing: Landing): Row[] {
  const { ownKbGz, strangerClerkKbGz, signedInClerkKbGz, signedInClerkAfterPaintMs } = landing
  return [
    {
      what: 'Landing page, first visit: our own JavaScript',
      value: `${kb(ownKbGz)} gz (≤ ${GATES.landingKbGz} kB)`,
      isMet: ownKbGz <= GATES.landingKbGz,
    },
    ...landing.ownFiles.map(({ file, kbGz }) => ({ what: `  ${file}`, value: kb(kbGz) })),
    {
      what: "Landing page, a stranger: Clerk's scripts",
      value: `${kb(strangerClerkKbGz)} gz (none)`,
      isMet: strangerClerkKbGz === 0,
    },
    {
      what: "Landing page, signed in: Clerk's scripts",
      value: `${kb(signedInClerkKbGz)} gz, asked for ${signedInClerkAfterPaintMs.toFixed(0)} ms after the first paint`,
      isMet: signedInClerkAfterPaintMs >= 0,
    },
    {
      what: 'Landing page: first paint, LCP',
      value: `${landing.firstPaintMs.toFixed(0)} ms, ${landing.lcpMs.toFixed(0)} ms`,
    },
  ]
}

function dashboardRows({ lcpMs, interactionMs, typingTaskMs, fixedTaskMs }: Dashboard): Row[] {
  const many = CONDITIONS.typedModules.toLocaleString('en')
  return [
    {
      what: `Dashboard with ${many} modules: LCP`,
      value: `${tell(lcpMs)} ms (good: ${GOOD.lcpMs} ms)`,
    },
    {
      what: '  slowest interaction, all modules loaded',
      value: `${tell(interactionMs)} ms (good: ${GOOD.interactionMs} ms)`,
    },
    {
      what: '  longest task while the search is typed at',
      value: `${tell(typingTaskMs)} ms: ${(typingTaskMs.median / fixedTaskMs.median).toFixed(2)} × the same work below (≤ ${GATES.longTaskRatio})`,
      isMet: typingTaskMs.median <= GATES.longTaskRatio * fixedTaskMs.median,
    },
    { what: '  noise: the same work, again and again', value: `${tell(fixedTaskMs)} ms` },
  ]
}

function apiRows({ fewMs, manyMs, ratio, noiseRatio, searchFewMs, searchManyMs }: ListApi): Row[] {
  const [few, many] = [CONDITIONS.fewModules, CONDITIONS.manyModules].map((count) => count.toLocaleString('en'))
  return [
    {
      what: `First page of the list: ${many} modules against ${few}`,
      value: `${manyMs.toFixed(1)} ms / ${fewMs.toFixed(1)} ms = ${ratio.toFixed(2)} (≤ ${GATES.apiRatio}); ${few} against ${few}: ${noiseRatio.toFixed(2)}`,
      isMet: ratio <= GATES.apiRatio,
    },
    { what: '  a search that finds nothing', value: `${searchManyMs.toFixed(1)} ms / ${searchFewMs.toFixed(1)} ms` },
  ]
}

function tell({ least, median, most }: Spread): string {
  return [least, median, most].map((value) => value.toFixed(0)).join(' / ')
}

function kb(value: number): string {
  return `${value.toFixed(1)} kB`
}
