import { env } from 'cloudflare:workers'
import { getTableColumns } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { openDb } from '#worker/db/db.ts'
import { stepProposals, steps } from '#worker/db/schema.ts'
import { proposeRunSteps } from '#worker/domain/run/section-store.ts'
import { acceptProposals } from './proposal-store.ts'
import { listSteps } from './step-store.ts'
import { fillEveryColumn, seedWork, written } from './testing/seed-steps.ts'

describe('the step of an accepted proposal', () => {
  it('has every column that only a person writes of the step that gives way, but for what describes its text', async () => {
    const { id } = await seedWork({ run: 2, isLive: false })
    const { moduleId } = id
    const db = openDb(env.DB)
    const old = fillEveryColumn({ moduleId, id: 'old', startMs: 0, endMs: 10_000 })
    await db.insert(steps).values(old)
    expect(await proposeRunSteps(env.DB, id, [written(2, 0)])).toBe(true)
    const at = { moduleId, ids: ['r2-0'], nowMs: 1, replaced: new Map([['r2-0', ['old']]]) }
    const basedOn = await env.DB.prepare('SELECT steps_version AS v FROM modules WHERE id = ?')
      .bind(moduleId)
      .first('v')
    expect(await acceptProposals(env.DB, { ...at, basedOn: Number(basedOn) })).toBe(1)
    const [step] = await listSteps(db, moduleId)
    const ofText = { aiRewrite: null, beforeRewrite: null, beforeScreen: null, isManual: false, editedAt: null }
    const given = [...Object.keys(getTableColumns(stepProposals)), 'addedVersion']
    const besides = Object.entries({ ...old, ...ofText }).filter(([name]) => !given.includes(name) || name === 'notes')
    expect(step).toMatchObject({ id: 'r2-0', ...Object.fromEntries(besides) })
  })
})
