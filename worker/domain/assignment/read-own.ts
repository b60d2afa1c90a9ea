import { expiryOf, PersonTraining, ruleOf } from '#contract/records/person-training.ts'
import { isMetFor, nextDateOf, stateOf } from '#contract/records/training-state.ts'
import { sharePath } from '#contract/share-page.ts'
import type { OwnTraining } from '#contract/team/my-trainings.ts'
import type { Context } from '#worker/core/context.ts'
import { listRows } from '#worker/db/db.ts'
import { linkIdOf } from '#worker/domain/module/link-state.ts'
import { toIso } from '#worker/domain/to-iso.ts'

interface OwnRow {
  id: string
  linkCode: string | null
  title: string
  stepCount: number
  hash: string
  known: string
}

/** Lists what a person is to be trained on: what there is to do first, by its date, then what is done, the newest first. */
export async function readOwnTrainings(
  { d1, nowMs }: Pick<Context, 'd1' | 'nowMs'>,
  { orgId, personId }: { orgId: string; personId: string },
): Promise<OwnTraining[]> {
  const rows = await listRows<OwnRow>(
    d1,
    `SELECT m.id, m.link_code AS linkCode, v.title, v.step_count AS stepCount, v.hash, t.known
     FROM person_trainings AS t JOIN modules AS m ON m.id = t.module_id AND m.org_id = t.org_id
     JOIN training_versions AS v ON v.module_id = m.id AND v.number = m.published_version
     WHERE t.org_id = ?1 AND t.person_id = ?2 AND json_array_length(t.known, '$.requests') > 0`,
    orgId,
    personId,
  )
  return rows.map((row) => presentOwn(row, nowMs())).toSorted(compareOwn)
}

function presentOwn({ id, linkCode, title, stepCount, hash, known: text }: OwnRow, nowMs: number): OwnTraining {
  const known = PersonTraining.parse(JSON.parse(text))
  const { done, retraining, refusedSteps } = known
  const state = stateOf(known, { nowMs, publishedHash: hash })
  const timeOf = (part: 'reached' | 'confirmed') =>
    isMetFor(known, part, { hash, nowMs }) ? (known[part]?.time ?? null) : null
  return {
    moduleId: id,
    version: hash,
    title,
    stepCount,
    path: sharePath(linkIdOf({ id, linkCode })),
    rule: ruleOf(known),
    dueAt: toIso(nextDateOf(known, nowMs)),
    startedAt: known.startedAt,
    reachedAt: timeOf('reached'),
    confirmedAt: timeOf('confirmed'),
    doneAt: done?.time ?? null,
    expiresAt: toIso(expiryOf(known)),
    isOpen: state !== 'done' && state !== 'done_older',
    refusedSteps: refusedSteps.length,
    changedSteps: retraining?.steps?.length ?? null,
  }
}

/** Without a date comes after all that have one. */
const LATEST = '9999'

function compareOwn(a: OwnTraining, b: OwnTraining): number {
  if (a.isOpen !== b.isOpen) return a.isOpen ? -1 : 1
  if (!a.isOpen) return (b.doneAt ?? '').localeCompare(a.doneAt ?? '')
  return (a.dueAt ?? LATEST).localeCompare(b.dueAt ?? LATEST) || a.title.localeCompare(b.title)
}
