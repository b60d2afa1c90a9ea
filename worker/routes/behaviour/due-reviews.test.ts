// Behaviour: published versions that are to be looked at again every so many months.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { AccountExport, EraseAnswer } from '#contract/account.ts'
import { DueReviewsAnswer } from '#contract/review.ts'
import { VersionsAnswer } from '#contract/version.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { eraseModule } from '#worker/domain/lifecycle/erase-module.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { listDueReviews, recordCheck } from '#worker/domain/version/due-reviews.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { edit, type Person, publish, seedTeam } from '../testing/team.ts'

const MONTH_MS = 31 * 24 * 3_600_000

function schedule(id: string, person: Person, months: number | null) {
  return answerOf(VersionsAnswer, `/api/versions/${id}/schedule`, { ...person, method: 'PUT', json: { months } })
}

function callerOf({ as: userId, orgId, orgRole, orgPermissions = [] }: Person) {
  return { userId, orgId, orgRole, orgPermissions }
}

/** What the list of a person has so long from now. */
function dueIn(person: Person, ms: number) {
  return listDueReviews({ ...openContext(env), nowMs: () => Date.now() + ms }, callerOf(person))
}

describe('the review of a published version', () => {
  it('is due so many months after it was published, and after the next version or review', async () => {
    const { id, uploader, member } = await seedTeam('anyone')
    const { reviewDueAt, versions } = await schedule(id, uploader, 3)
    const publishedAt = new Date(versions[0]?.publishedAt ?? '')
    const months = (Date.parse(reviewDueAt ?? '') - publishedAt.getTime()) / MONTH_MS
    expect(months).toBeGreaterThan(2.8)
    expect(months).toBeLessThan(3.01)
    expect(await dueIn(member, 2 * MONTH_MS)).toEqual([])
    expect(await dueIn(member, 4 * MONTH_MS)).toEqual([
      { id, title: 'Change the filter', published: 1, dueAt: reviewDueAt, mayPublish: true },
    ])
    // Looked at in four months.
    const context = { ...openContext(env), nowMs: () => Date.now() + 4 * MONTH_MS }
    const module = await findModule(context.db, id)
    if (module === null) throw new Error('The training is gone.')
    await recordCheck(context, module, { caller: callerOf(member), published: 1, name: 'Kim Lee' })
    expect(await dueIn(member, 5 * MONTH_MS)).toEqual([])
    expect(await dueIn(member, 8 * MONTH_MS)).toMatchObject([{ id, published: 1 }])
    const seen = await answerOf(VersionsAnswer, `/api/versions/${id}`, uploader)
    expect(seen.versions[0]?.checks).toMatchObject([{ name: 'Kim Lee' }])
    await edit(id, uploader, 'Open the lid')
    const next = await publish(id, uploader)
    expect(Date.parse(next.reviewDueAt ?? '')).toBeLessThan(Date.now() + 4 * MONTH_MS)
    expect(next.versions.map(({ checks }) => checks.length)).toEqual([0, 1])
  })

  it('is due on the last day of a month that is shorter', async () => {
    const { id, uploader } = await seedTeam('anyone')
    const dueAfter = async (published: string, months: number) => {
      await env.DB.prepare('UPDATE training_versions SET published_at = ?2 WHERE module_id = ?1')
        .bind(id, Date.parse(published))
        .run()
      return (await schedule(id, uploader, months)).reviewDueAt
    }
    expect(await dueAfter('2026-11-30T10:00:00Z', 3)).toBe('2027-02-28T10:00:00.000Z')
    expect(await dueAfter('2027-11-30T10:00:00Z', 3)).toBe('2028-02-29T10:00:00.000Z')
    expect(await dueAfter('2026-08-31T10:00:00Z', 1)).toBe('2026-09-30T10:00:00.000Z')
    expect(await dueAfter('2026-11-15T10:00:00Z', 3)).toBe('2027-02-15T10:00:00.000Z')
  })

  it('is not due by default, once it is switched off, and while learners see the draft', async () => {
    const { id, uploader } = await seedTeam('anyone')
    const path = `/api/versions/${id}`
    expect(await answerOf(VersionsAnswer, path, uploader)).toMatchObject({ reviewMonths: null, reviewDueAt: null })
    await schedule(id, uploader, 6)
    const turn = (isOn: boolean) => answerOf(VersionsAnswer, path, { ...uploader, method: 'PUT', json: { isOn } })
    expect(await turn(false)).toMatchObject({ reviewMonths: 6, reviewDueAt: null })
    expect(await turn(true)).toMatchObject({ reviewMonths: 6, reviewDueAt: expect.any(String) })
    expect(await schedule(id, uploader, null)).toMatchObject({ reviewMonths: null, reviewDueAt: null })
    const { trainings } = await answerOf(DueReviewsAnswer, '/api/versions/due', uploader)
    expect(trainings).toEqual([])
  })

  it('is for those who may publish, of the version that learners see', async () => {
    const { id, uploader, member, approver } = await seedTeam('approvers')
    const path = `/api/versions/${id}`
    const plan = { ...member, method: 'PUT', json: { months: 3 } }
    expect((await problemOf(`${path}/schedule`, plan)).code).toBe('approval_needed')
    await schedule(id, approver, 3)
    expect(await dueIn(uploader, 4 * MONTH_MS)).toMatchObject([{ id, mayPublish: false }])
    const check = { json: { published: 1, name: 'Kim Lee' } }
    expect((await problemOf(`${path}/checks`, { ...member, ...check })).code).toBe('approval_needed')
    await edit(id, uploader, 'Open the lid')
    await publish(id, approver)
    expect((await problemOf(`${path}/checks`, { ...approver, ...check })).code).toBe('version_conflict')
    const json = { ...check.json, name: ' ' }
    expect((await problemOf(`${path}/checks`, { ...approver, json })).code).toBe('invalid_request')
  })

  it('is exported, keeps its date and loses its name with the account, and goes with the training', async () => {
    const { id, uploader, member } = await seedTeam('anyone')
    const check = { ...member, json: { published: 1, name: 'Kim Lee' } }
    await answerOf(VersionsAnswer, `/api/versions/${id}/checks`, check)
    const exported = AccountExport.parse(await (await call('/api/account/export', member)).json())
    const at = expect.any(String)
    expect(exported.versionChecks).toEqual([{ moduleId: id, version: 1, name: 'Kim Lee', timestamp: at }])
    await answerOf(EraseAnswer, '/api/account', { ...member, method: 'DELETE', json: { confirm: 'erase' } })
    const { versions } = await answerOf(VersionsAnswer, `/api/versions/${id}`, uploader)
    expect(versions[0]?.checks).toEqual([{ name: '', checkedAt: expect.any(String) }])
    const first = (column: string) =>
      env.DB.prepare(`SELECT ${column} FROM version_checks WHERE module_id = ?`).bind(id).first(column)
    expect(await first('user_id')).not.toBe(member.as)
    await eraseModule(openContext(env), { id, sourceKey: `src/${id}/source`, uploadId: null })
    expect(await first('id')).toBeNull()
  })
})
