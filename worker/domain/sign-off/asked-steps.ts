import type { AskedStep } from '#contract/records/asked-steps.ts'
import type { PersonTraining } from '#contract/records/person-training.ts'
import { askedStepsOf } from '#contract/records/training-state.ts'
import { listChangedSteps } from '#contract/training/compare-versions.ts'
import { VersionContent } from '#contract/version.ts'
import type { Context } from '#worker/core/context.ts'
import { readObject } from '#worker/domain/version/version-objects.ts'
import { findVersion } from '#worker/domain/version/version-store.ts'
import { readNotes } from './read-sign-off.ts'

/** A training that is asked of a person of an organization. */
interface Asked {
  orgId: string
  personId: string
  module: { id: string; publishedVersion: number | null }
  known: PersonTraining
}

/** Reads which steps of a training a person is asked for again, each with what it said when they have done it. */
export async function readAskedSteps(
  { db, d1, bucket, nowMs }: Pick<Context, 'db' | 'd1' | 'bucket' | 'nowMs'>,
  { orgId, personId, module, known }: Asked,
): Promise<AskedStep[]> {
  const ids = askedStepsOf(known, nowMs())
  const number = module.publishedVersion
  const version = number === null ? null : await findVersion(db, { moduleId: module.id, number })
  if (ids === null || ids.length === 0 || version === null) return []
  const read = (hash: string) => readObject(bucket, { moduleId: module.id, hash }, VersionContent)
  const seen = known.done?.version.hash ?? known.reached?.version.hash ?? version.hash
  const [before, now, notes] = await Promise.all([
    read(seen),
    read(version.hash),
    readNotes(d1, orgId, { personId, moduleId: module.id }),
  ])
  const changed = new Set(listChangedSteps(before, now))
  const earlier = new Map(before.steps.map(({ id, title, description }) => [id, { title, description }]))
  return now.steps
    .filter(({ id }) => ids.includes(id))
    .map(({ id, title, description }) => {
      const was = earlier.get(id) ?? null
      const isRefused = known.refusedSteps.includes(id)
      const why = isRefused ? 'again' : was === null ? 'new' : 'changed'
      const isChanged = changed.has(id)
      return { id, title, description, why, earlier: isChanged ? was : null, note: isRefused ? (notes[id] ?? '') : '' }
    })
}
