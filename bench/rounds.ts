import { setTimeout as sleep } from 'node:timers/promises'

export function mapValues<Name extends string, From, To>(
  values: Readonly<Record<Name, From>>,
  make: (value: From, name: Name) => To,
): Record<Name, To> {
  const entries = Object.entries(values) as [Name, From][]
  return Object.fromEntries(entries.map(([name, value]) => [name, make(value, name)])) as Record<Name, To>
}

export async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

/**
 * Runs each kind once in every round, one after the other, so that what else the machine does meets all alike.
 * @returns by kind what each round gave; warm-ups, whose numbers are negative, give nothing
 */
export async function takeTurns<Name extends string, Result>(
  names: readonly Name[],
  { rounds, warmUps = 0 }: { rounds: number; warmUps?: number },
  run: (name: Name, round: number) => Promise<Result>,
): Promise<Record<Name, Result[]>> {
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const name of names) {
      const result = await run(name, round)
      if (round >= 0) results[name].push(result)
    }
  }
  return results
}

/** Middle times of a thing with few rows, of another that is alike, and of one with many. */
export type Grown = Record<'few' | 'fewToo' | 'many', number>

/**
 * Compares many with few: by their ratio, and by that of two alike, which is what the measurement makes of no difference.
 * @returns the few's time, the mean of both, with it
 */
export function growthOf({ few, fewToo, many }: Grown) {
  const fewMs = (few + fewToo) / 2
  return { fewMs, ratio: many / fewMs, noiseRatio: Math.max(few, fewToo) / Math.min(few, fewToo) }
}

/** Begins some work so many times a second, whether that before has ended or not. @returns what all of it gave */
export async function keepPace<Result>(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  work: (number: number) => Promise<Result>,
): Promise<Result[]> {
  const running: Promise<Result>[] = []
  for (let number = 0; number < perSecond * seconds; number += 1) {
    running.push(work(number))
    await sleep(1_000 / perSecond)
  }
  return Promise.all(running)
}

/** Does some work again and again, so many at once. @returns the milliseconds that each took that did not fail */
export async function repeatFor(
  { seconds, atOnce = 1, onError }: { seconds: number; atOnce?: number; onError?: (error: unknown) => void },
  work: () => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = []
  const endAtMs = performance.now() + seconds * 1_000
  const repeat = async () => {
    while (performance.now() < endAtMs) {
      const ended = timeMs(work).then((ms) => times.push(ms))
      await (onError === undefined ? ended : ended.catch(onError))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, repeat))
  return times
}

/** Looks until there is something. @throws when there is nothing in time */
export async function waitFor<Found>(
  look: () => Promise<Found | null>,
  { everyMs, withinMs }: { everyMs: number; withinMs: number },
): Promise<Found> {
  const untilMs = performance.now() + withinMs
  while (performance.now() < untilMs) {
    const found = await look()
    if (found !== null) return found
    await sleep(everyMs)
  }
  throw new Error(`Nothing came within ${withinMs / 1_000} s`)
}
