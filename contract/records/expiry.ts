import type { PersonTraining } from './person-training.ts'

/**
 * When a training that was done has to be done again, by the shortest of its open assignments; null for never.
 * A month later is the same day, or the last one of a shorter month.
 */
export function expiresAtMs({ done, requests }: Pick<PersonTraining, 'done' | 'requests'>): number | null {
  const months = requests.flatMap(({ everyMonths }) => everyMonths ?? [])
  return done === null || months.length === 0 ? null : addMonths(Date.parse(done.time), Math.min(...months))
}

function addMonths(fromMs: number, months: number): number {
  const date = new Date(fromMs)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime()
}
