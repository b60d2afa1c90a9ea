import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { openDb } from '#worker/db/db.ts'
import { steps } from '#worker/db/schema.ts'
import { insertSteps, listSteps, replaceSteps } from './step-store.ts'
import { fillEveryColumn, seedWork, written } from './testing/seed-steps.ts'

describe('a step that an earlier version has stored as JSON', () => {
  it('has the default of each column that it does not know', async () => {
    const { moduleId } = (await seedWork()).id
    const { id, title, description, startMs, endMs } = written(1, 0)
    await env.DB.prepare(insertSteps('json_each(?2)'))
      .bind(moduleId, JSON.stringify([{ id, title, description, startMs, endMs }]))
      .run()
    const [step] = await listSteps(openDb(env.DB), moduleId)
    expect(step).toMatchObject({ title, originalText: '', notes: '', segmentIds: [], callouts: [], isDraft: false })
    expect(step).toMatchObject({ chapter: null, imageAt: null })
  })
})

describe('a save of a step that a run has rewritten since', () => {
  it('changes every column but what the run says of it', async () => {
    const { moduleId } = (await seedWork()).id
    const db = openDb(env.DB)
    const rewritten = fillEveryColumn({ moduleId, id: 'r1-0', addedVersion: 5 }, 'by the run')
    await db.insert(steps).values(rewritten)
    const person = { isManual: false, notesQuotable: false, notesEdited: false, isDraft: false }
    const saved = fillEveryColumn({ moduleId, id: 'r1-0', ...person }, 'by a person')
    expect(await replaceSteps(env.DB, { moduleId, basedOn: 4, nowMs: 1 }, [saved])).toBe(true)
    const { id, run, originalText, segmentIds, isDraft, addedVersion } = rewritten
    const kept = { id, run, originalText, segmentIds, isDraft, addedVersion, position: 0 }
    expect(await listSteps(db, moduleId)).toEqual([{ ...saved, ...kept }])
  })
})
