import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { ModuleAnswer, ModuleListAnswer } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { answerOf, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { databaseOf, isModuleId, makeModuleId } from './module-id.ts'

describe('an id', () => {
  it('begins with the character of the database that holds it, before as much chance as ever', () => {
    const ids = Array.from({ length: 100 }, makeModuleId)
    for (const id of ids) expect(id).toMatch(/^a[\w-]{22}$/)
    expect(new Set(ids.map((id) => id.slice(1))).size).toBe(100)
    expect(databaseOf(makeModuleId())).toBe('DB')
  })

  it.each([
    ['22 characters, as modules and collections had them', nanoid(22)],
    ['the same that begins with the letter of another database', `b${nanoid(21)}`],
    ['21 characters', nanoid()],
    ['more than an id has now', nanoid(24)],
  ])('an id without a prefix leads to the first database: %s', (_, id) => {
    expect(databaseOf(id)).toBe('DB')
  })

  it('leads nowhere with the prefix of a database that there is not, and where it is no id', () => {
    for (const text of [`b${nanoid(22)}`, `-${nanoid(22)}`, nanoid(20), 'a'.repeat(65), `a${nanoid(21)}/`])
      expect(isModuleId(text), text).toBe(false)
  })
})

describe('a module', () => {
  it.each([
    ['with a prefix', makeModuleId()],
    ['from before the prefix', nanoid(22)],
  ])('a module %s is found by its owner and by its link', async (_, id) => {
    const { userId } = await seedModule({ id, status: 'READY' })
    expect((await answerOf(ModuleAnswer, `/api/modules/${id}`, { as: userId })).module.id).toBe(id)
    expect((await answerOf(ShareAnswer, `/api/share/${id}`)).module.id).toBe(id)
    const { modules } = await answerOf(ModuleListAnswer, '/api/modules?limit=60', { as: userId })
    expect(modules.map((module) => module.id)).toContain(id)
  })

  it('a module of a database that there is not is one that does not exist', async () => {
    const id = `b${nanoid(22)}`
    const { userId } = await seedModule({ id, status: 'READY' })
    expect((await problemOf(`/api/modules/${id}`, { as: userId })).code).toBe('not_found')
    expect((await problemOf(`/api/share/${id}`)).code).toBe('not_found')
  })
})
