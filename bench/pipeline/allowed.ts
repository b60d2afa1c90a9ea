import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { partMsAt } from '#media/part-plan.ts'
import { partsOfStretch } from '#worker/domain/run/stretch-plan.ts'
import type { Allowed } from './answers.ts'

/** The fourth and all later stretches are of one length. */
const STRETCHES = [0, 1, 2, 3]

const config = readFileSync(join(import.meta.dirname, '../../wrangler.toml'), 'utf8')

/** What the product's own configuration lets one delivery do, and its own plan of stretches. */
export const ALLOWED: Allowed = {
  speechCalls: batchSizeOf('adapt-speech'),
  languageCalls: batchSizeOf('adapt-steps'),
  stretchesS: STRETCHES.map(lengthOf) as [number, ...number[]],
}

function lengthOf(stretch: number): number {
  const { from, to } = partsOfStretch(stretch)
  return Array.from({ length: to - from }, (_, part) => partMsAt(from + part) / 1_000).reduce((sum, s) => sum + s, 0)
}

function batchSizeOf(queue: string): number {
  const found = new RegExp(`queue = "${queue}"\\nmax_batch_size = (\\d+)`).exec(config)
  if (found === null) throw new Error(`wrangler.toml has no consumer of ${queue}`)
  return Number(found[1])
}
