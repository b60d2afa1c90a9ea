import { env } from 'cloudflare:workers'
import { getTableColumns } from 'drizzle-orm'
import { nanoid } from 'nanoid'
import { BLANK_STEP } from '#contract/step.ts'
import { seedModule } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import { runs, steps } from '#worker/db/schema.ts'
import type { RunEnd } from '#worker/domain/run/section-store.ts'
import type { StepToStore } from '#worker/domain/step/tidy-section.ts'
import { putTranscript } from '#worker/domain/transcript/transcript-store.ts'

/** A step as a run writes it, named after the second that it begins at. */
export function written(run: number, startS: number, fields: Partial<StepToStore> = {}): StepToStore {
  return {
    ...BLANK_STEP,
    id: `r${run}-${startS}`,
    title: `Step at ${startS}`,
    description: 'What to do here, in a sentence.',
    startMs: startS * 1000,
    endMs: startS * 1000 + 10_000,
    originalText: 'What was said.',
    segmentIds: [`s${run}-${startS}`],
    run,
    editedAt: null,
    ...fields,
  }
}

/** A row with a value of its own in each column of a step, none of which is the default. */
export function fillEveryColumn(fields: Partial<typeof steps.$inferInsert>, label = 'old'): typeof steps.$inferSelect {
  const values: Record<string, unknown> = { string: label, number: label.length, boolean: true, json: [label] }
  const columns = Object.entries(getTableColumns(steps)).map(([name, { dataType }]) => [name, values[dataType]])
  return { ...Object.fromEntries(columns), ...fields }
}

/** A module with a run at work, of an owner of its own. */
export async function seedWork(at: { run: number; isLive: boolean } = { run: 1, isLive: true }): Promise<{
  id: RunEnd
  as: string
}> {
  const as = `user_${nanoid(8)}`
  const nowMs = Date.now()
  const module = await seedModule({ userId: as, run: at.run, durationMs: 300_000, updatedAt: nowMs })
  await openDb(env.DB)
    .insert(runs)
    .values({ moduleId: module.id, ...at, trigger: 'upload', startedAt: nowMs, admittedAt: nowMs })
  const id = { moduleId: module.id, run: at.run }
  const transcript = { key: await putTranscript(env.MEDIA, id, []), segmentCount: 0 }
  return { id: { ...id, nowMs, basedOn: { captionsKey: null, screenKey: null, stepsVersion: null }, transcript }, as }
}
