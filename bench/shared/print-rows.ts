import { describeNoise, type Noise, type PeakNoise } from './noise.ts'

/** One figure, and whether it is as it has to be; left out where nothing is asked of it. */
export interface Row {
  what: string
  value: string
  isMet?: boolean
}

/** Prints figures below each other. @returns whether every gate is met */
export function printRows(rows: readonly Row[]): boolean {
  const width = Math.max(...rows.map(({ what }) => what.length))
  for (const { what, value, isMet } of rows) {
    const verdict = isMet === undefined ? '' : isMet ? '  met' : '  NOT MET'
    console.log(`${what.padEnd(width)}  ${value}${verdict}`)
  }
  return rows.every(({ isMet }) => isMet !== false)
}

export function noiseRow(noise: Noise | PeakNoise): Row {
  return { what: "Noise: the machine's load average", value: describeNoise(noise) }
}
