import { availableParallelism, loadavg } from 'node:os'

/** What else the machine was doing: load averages over a minute, when a bench began and at its end. */
export interface Noise {
  cores: number
  loadAtFirst: number
  loadAtLast: number
}

/** The same of a bench that lasts, and that looked in between. */
export type PeakNoise = Omit<Noise, 'loadAtLast'> & { loadAtMost: number }

/** What the machine was doing over the last minute, the bench itself included. */
export function readLoad(): number {
  return loadavg()[0] ?? 0
}

export function noiseSince(loadAtFirst: number): Noise {
  return { cores: availableParallelism(), loadAtFirst, loadAtLast: readLoad() }
}

/** @param loads in the order in which they were read; the first one when the bench began */
export function peakOf(loads: readonly number[]): PeakNoise {
  return { cores: availableParallelism(), loadAtFirst: loads[0] ?? 0, loadAtMost: Math.max(...loads) }
}

export function describeNoise({ cores, loadAtFirst, ...then }: Noise | PeakNoise): string {
  const last =
    'loadAtLast' in then ? `${then.loadAtLast.toFixed(1)} at the end` : `${then.loadAtMost.toFixed(1)} at its highest`
  return `${loadAtFirst.toFixed(1)} before, ${last}, on ${cores} cores`
}
