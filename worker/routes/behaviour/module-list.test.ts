// Behaviour: the list of modules: pages, search and what is in processing.
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ModuleListAnswer, ModulePageAnswer } from '#contract/module.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedDeletion, seedModule } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import { listPage, selectAtWork, selectPage } from '#worker/domain/module/module-list-store.ts'
import { selectWithoutSmallCopy } from '#worker/domain/module/small-copy.ts'
import { selectDueReviews } from '#worker/domain/version/due-reviews.ts'

const DB = openDb(env.DB)
const ORG = { orgId: 'org_list' }

function callerOf(userId: string, orgId: string | null = null) {
  return { userId, orgId, orgRole: null, orgPermissions: [] }
}

/** A list of its own for each test. */
function newUser(): string {
  return `user_${crypto.randomUUID()}`
}

async function pageOf(as: string, query: string, options = {}) {
  const page = await answerOf(ModulePageAnswer, `/api/modules?${query}`, { as, ...options })
  return { titles: page.modules.map((module) => module.title), nextCursor: page.nextCursor }
}

async function allOf(as: string, query: string, options = {}): Promise<string[]> {
  const titles: string[] = []
  let cursor = ''
  do {
    const page = await pageOf(as, `${query}${cursor}`, options)
    titles.push(...page.titles)
    cursor = page.nextCursor === null ? '' : `&cursor=${encodeURIComponent(page.nextCursor)}`
  } while (cursor !== '')
  return titles
}

async function seedTitles(userId: string, titles: string[], fields = {}): Promise<void> {
  for (const [index, title] of titles.entries()) await seedModule({ userId, title, createdAt: index + 1, ...fields })
}

describe('GET /api/modules?limit', () => {
  it('pages from the newest to the oldest, and says where the end is', async () => {
    const as = newUser()
    await seedTitles(as, ['one', 'two', 'three'])
    const first = await pageOf(as, 'limit=2')
    expect(first.titles).toEqual(['three', 'two'])
    expect(await pageOf(as, `limit=2&cursor=${first.nextCursor}`)).toEqual({ titles: ['one'], nextCursor: null })
    expect(await pageOf(as, 'limit=3')).toMatchObject({ nextCursor: null })
  })

  it('keeps modules apart that were made in the same millisecond', async () => {
    const as = newUser()
    await seedTitles(as, ['a', 'b', 'c', 'd', 'e'], { createdAt: 7 })
    expect((await allOf(as, 'limit=2')).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it("shows the active organization's modules, without one all of the caller's, and never another owner's", async () => {
    const as = newUser()
    await seedTitles(as, ['mine for all', 'mine'], {})
    await seedModule({ userId: as, title: 'both', createdAt: 5, ...ORG })
    await seedModule({ userId: newUser(), title: 'of a colleague', createdAt: 4, ...ORG })
    await seedModule({ userId: newUser(), title: 'of a stranger', createdAt: 3 })
    await seedModule({ userId: newUser(), title: 'of another organization', createdAt: 3, orgId: 'org_x' })
    expect(await allOf(as, 'limit=1', ORG)).toEqual(['both', 'of a colleague'])
    expect(await allOf(as, 'limit=1')).toEqual(['both', 'mine', 'mine for all'])
    expect(await allOf(as, 'limit=1', { orgId: 'org_y' })).toEqual([])
  })

  it('leaves out modules without bytes and deleted modules', async () => {
    const as = newUser()
    await seedTitles(as, ['seen'])
    await seedModule({ userId: as, receivedAt: null })
    await seedModule({ userId: as, deletedAt: 9 })
    expect(await allOf(as, 'limit=10')).toEqual(['seen'])
  })

  it.each(['limit=0', 'limit=101', 'limit=many', 'cursor=', 'cursor=%25%25', 'cursor=bm9uc2Vuc2U', 'serach=x'])(
    'refuses %s',
    async (query) => {
      expect((await problemOf(`/api/modules?${query}`, { as: 'user_any' })).code).toBe('invalid_request')
    },
  )

  it('refuses a visitor', async () => {
    expect((await problemOf('/api/modules?limit=1')).code).toBe('unauthenticated')
  })

  it('answers without a page as it always did: success and all modules, and nothing else', async () => {
    const as = newUser()
    await seedTitles(as, ['one', 'two'])
    const response = await call('/api/modules', { as })
    const body = await response.json()
    expect(Object.keys(body as object)).toEqual(['success', 'modules'])
    expect(ModuleListAnswer.parse(body).modules).toHaveLength(2)
  })

  it('GET /api/modules?limit neither loses nor repeats a module while others come and go between two pages', async () => {
    const Change = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), at: fc.integer({ min: 0, max: 30 }) }),
      fc.record({ kind: fc.constant('delete' as const), at: fc.nat(30) }),
    )
    const plan = {
      ages: fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 12 }),
      limit: fc.integer({ min: 1, max: 4 }),
    }
    await fc.assert(
      fc.asyncProperty(
        fc.record({ ...plan, changes: fc.array(fc.array(Change, { maxLength: 2 }), { maxLength: 6 }) }),
        async ({ ages, limit, changes }) => {
          const userId = newUser()
          const known = await Promise.all(ages.map((createdAt) => seedModule({ userId, createdAt })))
          const stays = new Set(known.map(({ id }) => id))
          const seen: string[] = []
          let cursor: string | undefined
          for (let page = 0; ; page += 1) {
            const answer = await listPage(DB, callerOf(userId), { limit, search: '', cursor })
            seen.push(...answer.rows.map(({ id }) => id))
            if (answer.nextCursor === null) break
            cursor = answer.nextCursor
            for (const change of changes[page] ?? []) {
              const target = known[change.at % Math.max(1, known.length)]
              if (change.kind === 'add') await seedModule({ userId, createdAt: change.at })
              else if (target !== undefined) {
                stays.delete(target.id)
                await seedDeletion(target.id, 1)
              }
            }
          }
          expect(new Set(seen).size).toBe(seen.length)
          expect(seen).toEqual(expect.arrayContaining([...stays]))
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('GET /api/modules?search', () => {
  it('finds parts of a title, in any case of any script, and takes no letter for a wildcard', async () => {
    const as = newUser()
    await seedTitles(as, ['Reset a PASSWORD', '100 % Ärger', 'ЗАМЕНА фильтра', 'under_score'])
    const find = (text: string) => allOf(as, `search=${encodeURIComponent(text)}`)
    expect(await find('passW')).toEqual(['Reset a PASSWORD'])
    expect(await find(' äRGER ')).toEqual(['100 % Ärger'])
    expect(await find('замена ф')).toEqual(['ЗАМЕНА фильтра'])
    expect(await find('%')).toEqual(['100 % Ärger'])
    expect(await find('r_s')).toEqual(['under_score'])
    expect(await find('r__s')).toEqual([])
    expect(await find("'; --")).toEqual([])
    expect(await find('')).toHaveLength(4)
    expect(await find('x'.repeat(200))).toEqual([])
  })

  it('finds a module by its new title after it was renamed', async () => {
    const as = newUser()
    const { id } = await seedModule({ userId: as, title: 'Before' })
    await call(`/api/modules/${id}`, { as, method: 'PATCH', json: { title: 'ÜBERHOLT' } })
    expect(await allOf(as, `search=${encodeURIComponent('überholt')}`)).toEqual(['ÜBERHOLT'])
    expect(await allOf(as, 'search=before')).toEqual([])
  })

  it('pages through the modules that it found', async () => {
    const as = newUser()
    await seedTitles(as, ['pump 1', 'other', 'pump 2', 'pump 3'])
    expect(await allOf(as, 'search=PUMP&limit=1')).toEqual(['pump 3', 'pump 2', 'pump 1'])
  })
})

describe('GET /api/modules/processing', () => {
  it('lists the modules in progress of the caller and of the organization, newest first', async () => {
    const as = newUser()
    const org = { orgId: `org_${as}` }
    await seedTitles(as, ['older', 'newer'])
    await seedModule({ userId: as, title: 'ready', status: 'READY' })
    await seedModule({ userId: newUser(), title: 'of a colleague', createdAt: 9, ...org })
    const { modules } = await answerOf(ModuleListAnswer, '/api/modules/processing', { as, ...org })
    expect(modules.map(({ title }) => title)).toEqual(['of a colleague', 'newer', 'older'])
  })

  it('refuses a visitor', async () => {
    expect((await problemOf('/api/modules/processing')).code).toBe('unauthenticated')
  })
})

describe('the query of a page', () => {
  async function planOf(query: { toSQL: () => { sql: string; params: unknown[] } }): Promise<string[]> {
    const { sql, params } = query.toSQL()
    const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...params)
      .all<{ detail: string }>()
    return results.map(({ detail }) => detail)
  }

  const after = { createdAt: 5, id: 'x' }
  const mine = { org: null, index: 'modules_listed_by_user', column: 'user_id' }
  const ours = { org: 'org', index: 'modules_listed_by_org', column: 'org_id' }

  it.each([
    ['the first page', { after: null, search: '' }],
    ['a later page', { after, search: '' }],
    ['a search', { after, search: 'Ärger' }],
  ])('reads %s in the order of an index and only as far as it goes', async (_, page) => {
    for (const { org, index, column } of [mine, ours]) {
      const steps = await planOf(selectPage(DB, callerOf('user', org), { limit: 61, ...page }))
      expect(steps.join('\n')).toContain(`SEARCH modules USING COVERING INDEX ${index} (${column}=?`)
      // The page's own rows are looked up by their ids; nothing reads the table from end to end.
      expect(steps.filter((step) => step.startsWith('SCAN modules'))).toEqual([])
      if (page.after !== null) expect(steps.join('\n')).toContain(`(${column}=? AND (created_at,id)<(?,?))`)
    }
  })

  it('finds modules in progress in an index that holds no others', async () => {
    const steps = await planOf(selectAtWork(DB, callerOf('user', 'org'), 100))
    expect(steps.join('\n')).toContain('INDEX modules_at_work_by_user (user_id=?')
    expect(steps.join('\n')).toContain('INDEX modules_at_work_by_org (org_id=?')
  })

  it('finds modules without a small copy in an index that holds no others', async () => {
    for (const [org, index] of [
      [null, 'user (user_id'],
      ['org', 'org (org_id'],
    ] as const) {
      const steps = await planOf(selectWithoutSmallCopy(DB, callerOf('user', org)))
      expect(steps.join('\n')).toContain(`INDEX modules_without_small_by_${index}=?`)
    }
  })

  it('finds versions that are due for review in an index that holds no others', async () => {
    for (const [org, index] of [
      [null, 'user (user_id'],
      ['org', 'org (org_id'],
    ] as const) {
      const steps = await planOf(selectDueReviews(DB, callerOf('user', org), 1))
      expect(steps.join('\n')).toContain(
        `INDEX modules_review_due_by_${index}=? AND review_due_at>? AND review_due_at<?`,
      )
    }
  })
})
