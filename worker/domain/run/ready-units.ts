import type { RunId } from './run-store.ts'

/** A part that can be heard at once. */
export interface ReadyPart extends RunId {
  part: number
  sizeBytes: number
}

/** A stretch that can be written at once. */
export interface ReadyStretch extends RunId {
  stretch: number
}

/** How far a unit is that a message asks for. */
export interface AskedUnit extends RunId {
  /** Number of the part or stretch. */
  unit: number
  /** Of the part's sound; 0 for a stretch. */
  sizeBytes: number
  /** How often somebody has begun with it. */
  tries: number
  isDone: boolean
  /** Somebody is at work on it, or is to wait. */
  isTaken: boolean
}

/** How far parts are, of any runs, in one question; unknown ones are left out. */
export function listAskedParts(d1: D1Database, at: { units: (RunId & { unit: number })[]; nowMs: number }) {
  return listAsked(d1, { ...at, table: 'audio_parts', number: 'part', sizeBytes: 'size_bytes', done: 'heard' })
}

/** The same for stretches. */
export function listAskedStretches(d1: D1Database, at: { units: (RunId & { unit: number })[]; nowMs: number }) {
  return listAsked(d1, { ...at, table: 'stretches', number: 'stretch', sizeBytes: '0', done: 'written' })
}

async function listAsked(
  d1: D1Database,
  of: {
    units: (RunId & { unit: number })[]
    nowMs: number
    table: string
    number: string
    sizeBytes: string
    done: string
  },
): Promise<AskedUnit[]> {
  const { results } = await d1
    .prepare(
      `SELECT u.module_id AS moduleId, u.run, u.${of.number} AS unit, ${of.sizeBytes} AS sizeBytes, u.tries,
              u.status = ?3 AS isDone, u.busy_until > ?2 AS isTaken
       FROM json_each(?1) AS asked JOIN ${of.table} AS u
         ON u.module_id = asked.value->>'moduleId' AND u.run = asked.value->>'run'
        AND u.${of.number} = asked.value->>'unit'`,
    )
    .bind(JSON.stringify(of.units.map(({ moduleId, run, unit }) => ({ moduleId, run, unit }))), of.nowMs, of.done)
    .all<Omit<AskedUnit, 'isDone' | 'isTaken'> & { isDone: number; isTaken: number }>()
  return results.map((row) => ({ ...row, isDone: row.isDone === 1, isTaken: row.isTaken === 1 }))
}

/** Joins a unit `u` to a run whose turn it is. */
const OF_CURRENT_RUN = `
  JOIN modules AS m ON m.id = u.module_id AND m.run = u.run AND m.status = 'PROCESSING' AND m.deleted_at IS NULL
  JOIN runs AS r ON r.module_id = u.module_id AND r.run = u.run AND r.admitted_at IS NOT NULL`

/**
 * Parts of any video that nobody has begun with; what has failed once comes back with a message of its own. First parts
 * come first: a video that has just come in does not wait behind the rest of a long one.
 */
export async function listReadyParts(d1: D1Database, at: { nowMs: number; limit: number }): Promise<ReadyPart[]> {
  const { results } = await d1
    .prepare(
      `SELECT u.module_id AS moduleId, u.run, u.part, u.size_bytes AS sizeBytes
       FROM audio_parts AS u ${OF_CURRENT_RUN}
       WHERE u.status = 'planned' AND u.tries = 0 AND u.busy_until <= ?1 AND m.transcript_source IS NOT 'captions'
       ORDER BY u.part LIMIT ?2`,
    )
    .bind(at.nowMs, at.limit)
    .all<ReadyPart>()
  return results
}

/** The same for stretches. */
export async function listReadyStretches(
  d1: D1Database,
  at: { nowMs: number; limit: number },
): Promise<ReadyStretch[]> {
  const { results } = await d1
    .prepare(
      `SELECT u.module_id AS moduleId, u.run, u.stretch FROM stretches AS u ${OF_CURRENT_RUN}
       WHERE u.status = 'planned' AND u.tries = 0 AND u.busy_until <= ?1 AND u.stretch < r.formed_stretches
         AND u.to_position > u.from_position
       ORDER BY u.stretch LIMIT ?2`,
    )
    .bind(at.nowMs, at.limit)
    .all<ReadyStretch>()
  return results
}
