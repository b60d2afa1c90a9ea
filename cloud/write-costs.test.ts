import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { readBaseConfig } from './make-config.ts'
import { fillCosts, fillIn, writeCeiling, writeCosts } from './write-costs.ts'

const base = readBaseConfig()
const document = readFileSync('docs/deploy.md', 'utf8')

describe('docs/deploy.md', () => {
  it('has the costs of today between their marks', () => {
    expect(document).toMatch(/^\| Videos stored \(R2\) \|.* \| 4,104 \|$/m)
    expect(document).toContain('month 1 costs $9.09, $47.29, $448, and $4,966: ')
    expect(document).toContain('$33.69 in month 12 in standard storage')
    expect(fillCosts(document, base)).toBe(document)
    expect(fillIn('a\n<!-- x -->\nold\n<!-- end of x -->\nb', 'x', 'new $1')).toBe(
      'a\n<!-- x -->\nnew $1\n<!-- end of x -->\nb',
    )
  })

  it('has the trainings of a day by the ceiling of wrangler.toml', () => {
    expect(writeCeiling(base)).toContain('$2 a day on models**, which is about 50 trainings a day')
    const vars = { ...base.vars, TOTAL_AI_USD_PER_DAY: '20' }
    expect(writeCeiling({ ...base, vars })).toContain('$20 a day on models**, which is about 510 trainings a day')
  })

  it('has an attack at the limit of links, which follows wrangler.toml', () => {
    expect(document).toMatch(/^\| 100 requests a second each, as `LINK_LIMIT` allows \| 864 \| 1,089 \|$/m)
    const ratelimits = base.ratelimits?.map((each) => ({ ...each, simple: { ...each.simple, limit: 1 } }))
    expect(writeCosts({ ...base, ratelimits })).not.toBe(writeCosts(base))
  })

  it('has a query that counts how often old trainings are watched', () => {
    const query = /d1 execute adapt .*--command "(.*laterViews.*)"$/m.exec(document)?.[1] ?? ''
    const database = new DatabaseSync(':memory:')
    for (const file of readdirSync('migrations')
      .filter((name) => name.endsWith('.sql'))
      .toSorted())
      database.exec(readFileSync(`migrations/${file}`, 'utf8'))
    const daysAgo = (days: number) => Date.now() - days * 86_400_000
    const modules = { old: 91, older: 400, young: 10 }
    for (const [id, days] of Object.entries(modules))
      database
        .prepare(
          `INSERT INTO modules (id, user_id, title, filename, status, message, source_key, declared_type, created_at, updated_at)
           VALUES (?, 'user', 't', 'f', 'READY', '', ?, 'video/mp4', ?, 0)`,
        )
        .run(id, `src/${id}`, daysAgo(days))
    const learners = [
      ['old', 1],
      ['old', 29],
      ['old', 31],
      ['older', 3],
      ['young', 1],
    ] as const
    for (const [at, [id, days]] of learners.entries())
      database
        .prepare('INSERT INTO learners (module_id, learner_id, first_at, last_at) VALUES (?, ?, 0, ?)')
        .run(id, `anyone:${at}`, daysAgo(days))
    expect(database.prepare(query).get()).toEqual({ laterViews: 3 / 2 })
  })
})
