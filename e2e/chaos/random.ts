import { createHash } from 'node:crypto'
import { makeRandom, type Random } from '#media/testing/random.ts'

/** Random numbers that are the same for the same text. */
export function randomOf(text: string): Random {
  return makeRandom(createHash('sha256').update(text).digest().readUInt32LE())
}

/** A whole number from `least` to `most`, both included. */
export function wholeBetween(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

export function pickOne<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('there is nothing to pick from')
  return item
}
