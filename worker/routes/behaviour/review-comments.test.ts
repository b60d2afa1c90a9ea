// Behaviour: what owners say of the steps of a draft while it is reviewed, and where it stays.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { AccountExport, EraseAnswer } from '#contract/account.ts'
import { REVIEW_COMMENTS_MAX } from '#contract/limits.ts'
import { ThreadsAnswer } from '#contract/review.ts'
import { VersionsAnswer } from '#contract/version.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { eraseModule } from '#worker/domain/lifecycle/erase-module.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { bodyOf, edit, type Person, publish, seedTeam } from '../testing/team.ts'

const pathOf = (id: string, version?: string | number) =>
  version === undefined ? `/api/versions/${id}/comments` : `/api/versions/${id}/${version}/comments`

function say(id: string, person: Person, fields: { stepId?: string; name?: string; text?: string } = {}) {
  const json = { stepId: 'a', name: 'Ana Cruz', text: 'Which lid?', ...fields }
  return answerOf(ThreadsAnswer, pathOf(id), { ...person, json })
}

async function threadsOf(id: string, person: Person, version: string | number = 'draft') {
  return (await answerOf(ThreadsAnswer, pathOf(id, version), person)).threads
}

describe('comments on the steps of a draft', () => {
  it('stand by step, are settled and opened again, and a new one opens a settled step', async () => {
    const { id, uploader, member } = await seedTeam('approvers')
    await say(id, uploader)
    await say(id, member, { stepId: 'b', name: 'Kim Lee', text: 'Left or right?' })
    const { threads } = await say(id, member, { name: 'Kim Lee', text: 'The blue one.' })
    expect(threads.map(({ stepId, comments }) => [stepId, comments.map(({ text }) => text)])).toEqual([
      ['a', ['Which lid?', 'The blue one.']],
      ['b', ['Left or right?']],
    ])
    expect(threads[0]?.comments.map(({ name, isMine }) => [name, isMine])).toEqual([
      ['Ana Cruz', false],
      ['Kim Lee', true],
    ])
    const change = (isResolved: boolean, seenComments: number) => {
      return { ...uploader, method: 'PUT', json: { stepId: 'a', isResolved, seenComments } }
    }
    const settle = (isResolved: boolean) => answerOf(ThreadsAnswer, pathOf(id), change(isResolved, 2))
    const isResolved = (answer: ThreadsAnswer) => answer.threads.map((thread) => thread.isResolved)
    expect(isResolved(await settle(true))).toEqual([true, false])
    expect(isResolved(await settle(false))).toEqual([false, false])
    await settle(true)
    expect(isResolved(await say(id, uploader))).toEqual([false, false])
    // The third was not seen.
    expect((await problemOf(pathOf(id), change(true, 2))).code).toBe('version_conflict')
    expect((await threadsOf(id, uploader)).map((thread) => thread.isResolved)).toEqual([false, false])
  })

  it('are not taken along unseen by a publisher who has read others', async () => {
    const { id, uploader, member } = await seedTeam('anyone')
    await edit(id, uploader, 'Open the lid')
    await say(id, uploader)
    const stale = await bodyOf(id, uploader, { seenComments: 1 })
    await say(id, member, { stepId: 'b', text: 'Stop!' })
    expect((await problemOf(`/api/versions/${id}`, stale)).code).toBe('version_conflict')
    const seen = await bodyOf(id, uploader, { seenComments: 2 })
    await answerOf(VersionsAnswer, `/api/versions/${id}`, seen)
    expect(await threadsOf(id, uploader, 2)).toHaveLength(2)
  })

  it('stay with the version that the draft becomes, and the next draft has none', async () => {
    const { id, uploader, approver } = await seedTeam('approvers')
    await edit(id, uploader, 'Open the lid')
    await say(id, uploader)
    expect(await threadsOf(id, approver, 1)).toEqual([])
    await publish(id, approver)
    expect(await threadsOf(id, approver)).toEqual([])
    expect(await threadsOf(id, approver, 2)).toMatchObject([{ stepId: 'a', comments: [{ text: 'Which lid?' }] }])
    await edit(id, uploader, 'Open the hood')
    await say(id, uploader, { text: 'Better now.' })
    const late = { ...uploader, method: 'PUT', json: { stepId: 'a', isResolved: true, seenComments: 1 } }
    await answerOf(ThreadsAnswer, pathOf(id), late)
    expect(await threadsOf(id, uploader, 2)).toMatchObject([{ isResolved: false, comments: [{ text: 'Which lid?' }] }])
  })

  it('are for owners, and no more than a reader can read', async () => {
    const { id, uploader } = await seedTeam('anyone')
    const json = { stepId: 'a', name: 'Ana', text: 'Hello' }
    for (const stranger of [{ as: 'user_viewer' }, { as: 'user_else', orgId: 'org_else' }]) {
      expect((await problemOf(pathOf(id), { ...stranger, json })).code).toBe('not_found')
      expect((await problemOf(pathOf(id, 'draft'), stranger)).code).toBe('not_found')
    }
    const tooLong = { ...json, text: 'a'.repeat(1_001) }
    expect((await problemOf(pathOf(id), { ...uploader, json: tooLong })).code).toBe('invalid_request')
    const fill = (number: number | null) =>
      env.DB.prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${REVIEW_COMMENTS_MAX})
         INSERT INTO review_comments (id, module_id, number, step_id, user_id, name, text, created_at)
         SELECT ?1 || ifnull(?2, 'draft') || '-' || i, ?1, ?2, 'a', 'user_many', 'Many', 'x', i FROM n`,
      )
        .bind(id, number)
        .run()
    await fill(1)
    await say(id, uploader)
    await fill(null)
    expect((await problemOf(pathOf(id), { ...uploader, json })).code).toBe('invalid_request')
  })

  it('are in the export of who said them, lose the name with the account, and go with the training', async () => {
    const { id, uploader, member } = await seedTeam('anyone')
    await edit(id, uploader, 'Open the lid')
    await say(id, member)
    const exported = AccountExport.parse(await (await call('/api/account/export', member)).json())
    expect(exported.reviewComments).toMatchObject([{ moduleId: id, version: null, stepId: 'a', text: 'Which lid?' }])
    const erased = { ...member, method: 'DELETE', json: { confirm: 'erase' } }
    await answerOf(EraseAnswer, '/api/account', erased)
    expect(await threadsOf(id, uploader)).toMatchObject([{ comments: [{ name: '', text: 'Which lid?' }] }])
    const rows = (column: string) =>
      env.DB.prepare(`SELECT ${column} FROM review_comments WHERE module_id = ?`).bind(id).first(column)
    expect(await rows('user_id')).not.toBe(member.as)
    await call(`/api/modules/${id}`, { ...uploader, method: 'DELETE' })
    await eraseModule(openContext(env), { id, sourceKey: `src/${id}/source`, uploadId: null })
    expect(await rows('id')).toBeNull()
  })
})
