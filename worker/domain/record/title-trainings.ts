import { listRows } from '#worker/db/db.ts'

/** A training, or a version of it. */
interface Titled {
  id: string
  /** Number of the version; null for the training as it is called now. */
  number: number | null
}

/** Finds what a training is called; null for one that is gone with its versions. */
export type TitleOf = (training: Titled) => string | null

interface TitleRow extends Titled {
  title: string
}

/** Opens the titles of some trainings: of a version that of then, otherwise that of now or of its newest version. */
export async function openTitles(d1: D1Database, orgId: string, trainings: readonly Titled[]): Promise<TitleOf> {
  const rows = await listRows<TitleRow>(
    d1,
    `SELECT v.module_id AS id, v.number, v.title FROM (SELECT DISTINCT value AS id FROM json_each(?2)) AS asked
       JOIN training_versions AS v ON v.module_id = asked.id
     UNION ALL
     SELECT m.id, NULL, m.title FROM (SELECT DISTINCT value AS id FROM json_each(?2)) AS asked
       JOIN modules AS m ON m.id = asked.id WHERE m.org_id = ?1
     ORDER BY 2`,
    orgId,
    JSON.stringify(trainings.map(({ id }) => id)),
  )
  const titles = new Map<string, string>()
  for (const { id, number, title } of rows) {
    titles.set(`${id} ${number}`, title)
    if (number !== null && !rows.some((row) => row.id === id && row.number === null)) titles.set(`${id} null`, title)
  }
  return ({ id, number }) => titles.get(`${id} ${number}`) ?? titles.get(`${id} null`) ?? null
}
