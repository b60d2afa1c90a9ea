import { openPseudonyms } from './pseudonym.ts'

/** Learners that are named at once; only their ids are read. */
const AT_ONCE = 5_000
const IDS = `SELECT learner_id AS learnerId FROM learners WHERE module_id = ?1 AND learner_id > ?2
  ORDER BY learner_id LIMIT ${AT_ONCE}`

/** Finds the learner of a module whom downloads give this name; null when there is none. */
export async function findLearnerId(
  { d1, secret }: { d1: D1Database; secret: string },
  moduleId: string,
  pseudonym: string,
): Promise<string | null> {
  const pseudonymise = await openPseudonyms(secret, moduleId)
  for (let last = ''; ; ) {
    const { results } = await d1.prepare(IDS).bind(moduleId, last).all<{ learnerId: string }>()
    const names = await Promise.all(results.map(({ learnerId }) => pseudonymise(learnerId)))
    const found = results[names.indexOf(pseudonym)]
    if (found !== undefined) return found.learnerId
    const end = results.at(-1)
    if (end === undefined || results.length < AT_ONCE) return null
    last = end.learnerId
  }
}
