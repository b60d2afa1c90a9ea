import { UNPUBLISHED } from '#contract/module.ts'
import type { Context } from '#worker/core/context.ts'
import type { ShownVersion } from '#worker/domain/learning/learner-token.ts'
import type { FindShown } from '#worker/domain/learning/start-session.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { readTimeline } from '#worker/domain/version/timeline.ts'
import { findVersion, findVersionOfSteps } from '#worker/domain/version/version-store.ts'

/**
 * Finds the version that a page shows, by its steps, or else by its number; the published one where the page says neither.
 * @returns null where learners see the draft
 */
export async function findShownVersion(
  { db, bucket }: Pick<Context, 'db' | 'bucket'>,
  { id: moduleId, publishedVersion }: ModuleRow,
  { stepsVersion, number }: Parameters<FindShown>[1],
): Promise<ShownVersion | null> {
  if (publishedVersion === null || publishedVersion === UNPUBLISHED) return null
  const ofSteps = stepsVersion === undefined ? null : await findVersionOfSteps(db, { moduleId, stepsVersion })
  const version = ofSteps ?? (await findVersion(db, { moduleId, number: number ?? publishedVersion }))
  if (version === null) return null
  const { name } = await readTimeline({ db, bucket }, version)
  return { number: version.number, timeline: name }
}
