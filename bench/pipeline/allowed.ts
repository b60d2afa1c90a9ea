import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { partMsAt } from '#media/part-plan.ts'
import { partsOfStretch } from '#worker/domain/run/stretch-plan.ts'
import type { Allowed } from './answers.ts'

/** The fourth and all later stretches are of one length. */
const STRETCHES = [0, 1, 2, 3]

const config = readFileSync(join(import.meta.dirname, '../../wrangler.toml'), 'utf8')

/** Calls to the models that one drain may have in progress. */
const IN_FLIGHT = readInFlight()

/** What the product's own configuration lets one delivery do, and its own plan of stretches. */
export const ALLOWED: Allowed = {
  speechCalls: IN_FLIGHT,
  languageCalls: IN_FLIGHT,
  stretchesS: STRETCHES.map(lengthOf) as [number, ...number[]],
}

function lengthOf(stretch: number): number {
  const { from, to } = partsOfStretch(stretch)
  return Array.from({ length: to - from }, (_, part) => partMsAt(from + part) / 1_000).reduce((sum, s) => sum + s, 0)
}

function readInFlight(): number {
  const found = /^JOBS_IN_FLIGHT = "(\d+)"$/m.exec(config)
  if (found === null) throw new Error('wrangler.toml has no JOBS_IN_FLIGHT')
  return Number(found[1])
}
