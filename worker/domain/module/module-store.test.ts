import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readyModule } from '#local/testing/ready-module.ts'
import { openDb } from '#worker/db/db.ts'
import { foldTitle, insertModule, listQuietModules } from './module-store.ts'

describe('listQuietModules', () => {
  it('lists those first that have been quiet for an hour, among many that report each minute', async () => {
    const db = openDb(env.DB)
    const nowMs = Date.now()
    const plant = (kind: string, quietMs: number) => (_: unknown, index: number) =>
      insertModule(
        db,
        readyModule({
          id: `quiet-${kind}-${index}`,
          userId: 'user_quiet',
          status: 'PROCESSING',
          updatedAt: nowMs - quietMs,
          receivedAt: 1,
        }),
      )
    await Promise.all([
      ...Array.from({ length: 20 }, plant('lost', 60 * 60_000)),
      ...Array.from({ length: 400 }, plant('waiting', 60_000)),
    ])
    const listed = await listQuietModules(db, { beforeMs: nowMs - 45_000, redrivesMax: 15 })
    // By chance alone it would be 5 of the 20; with their weight fewer than 15 are as good as impossible.
    expect(listed.filter(({ id }) => id.startsWith('quiet-lost-')).length).toBeGreaterThan(15)
    await env.DB.exec("DELETE FROM modules WHERE id LIKE 'quiet-%'")
  })
})

describe('foldTitle', () => {
  it.each([
    ['ÄRGER mit der Fräse', 'ärger MIT DER FRÄSE'],
    ['Straße', 'STRASSE'],
    ['ЗАМЕНА ФИЛЬТРА', 'замена фильтра'],
    ['ΟΔΟΣ', 'οδος'],
    ['İstanbul', 'istanbul'],
    ['A\u0308rger', 'Ärger'],
  ])('takes %s and %s for the same', (one, other) => {
    expect(foldTitle(one)).toBe(foldTitle(other))
  })

  it('changes nothing the second time', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => foldTitle(foldTitle(text)) === foldTitle(text)))
  })
})
