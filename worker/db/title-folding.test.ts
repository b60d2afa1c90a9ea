import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { plantModule } from '#local/testing/modules.ts'
import { foldTitle } from '#worker/domain/module/fold-title.ts'

/** What the migration does to rows that were there before the column. */
const FILL = env.TEST_MIGRATIONS.flatMap(({ queries }) => queries).filter((query) =>
  query.includes('SET `title_folded`'),
)

describe('the migration that adds folded titles', () => {
  it.each(['Reset a PASSWORD', '100 % ÄRGER, Straße', 'ЗАМЕНА ФИЛЬТРА', 'ΟΔΟΣ', 'ŁÓDŹ ŽIVOT', '入門'])(
    'folds %s as the worker does',
    async (title) => {
      const { id } = await plantModule({ title })
      await env.DB.prepare(`UPDATE modules SET title_folded = '' WHERE id = ?`).bind(id).run()
      expect(FILL.length).toBeGreaterThan(0)
      await env.DB.batch(FILL.map((query) => env.DB.prepare(query)))
      const row = await env.DB.prepare('SELECT title_folded AS folded FROM modules WHERE id = ?').bind(id).first()
      expect(row).toEqual({ folded: foldTitle(title) })
    },
  )
})
