import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { stepProposals, steps } from '#worker/db/schema.ts'
import type { Quoting } from './requote.ts'

const TABLES = { steps, step_proposals: stepProposals } as const
/** Where quotes of the transcript are kept: in steps, and in what is offered beside them. */
export type QuotingTable = keyof typeof TABLES

/** All that quotes the transcript of a module: its steps, and what is offered beside them. */
export async function listQuoting(db: Db, moduleId: string): Promise<Record<QuotingTable, Quoting[]>> {
  const [ofSteps, ofProposals] = await db.batch([
    db
      .select({ id: steps.id, originalText: steps.originalText, segmentIds: steps.segmentIds })
      .from(steps)
      .where(eq(steps.moduleId, moduleId)),
    db
      .select({
        id: stepProposals.id,
        originalText: stepProposals.originalText,
        segmentIds: stepProposals.segmentIds,
      })
      .from(stepProposals)
      .where(and(eq(stepProposals.moduleId, moduleId), isNull(stepProposals.decision))),
  ])
  return { steps: ofSteps, step_proposals: ofProposals }
}

/** A quote that takes the place of another one. */
export interface NewQuote {
  id: string
  was: string
  text: string
}

/** SQL that stores quotes (`?3`, JSON) of the module `?1`, where they are still as they were. A condition may follow. */
export const storeQuotes = (table: QuotingTable) => `
  UPDATE ${table} SET original_text = quote.value->>'text' FROM json_each(?3) AS quote
  WHERE ${table}.module_id = ?1 AND ${table}.id = quote.value->>'id' AND original_text = quote.value->>'was'`
