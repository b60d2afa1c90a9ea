import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { openDb } from '#worker/db/db.ts'
import { insertSteps, listSteps } from './step-store.ts'
import { seedWork, written } from './testing/seed-steps.ts'

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
