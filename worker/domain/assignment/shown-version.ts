import { UNPUBLISHED } from '#contract/module.ts'
import { VersionContent } from '#contract/version.ts'
import { hashBytes } from '#records/hash-record.ts'
import type { Context } from '#worker/core/context.ts'
import type { ShownVersion } from '#worker/domain/learning/learner-token.ts'
import type { FindShown } from '#worker/domain/learning/start-session.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { readObject } from '#worker/domain/version/version-objects.ts'
import { findVersion, findVersionOfSteps } from '#worker/domain/version/version-store.ts'

/** Hexadecimal digits of a timeline's name: one training has few of them. */
const NAME_CHARS = 16

/** Names what seconds of a version mean: its video, what is left out of it, and from when to when its steps are. */
export async function nameTimeline({ video, cuts, steps }: VersionContent): Promise<string> {
  const spans = steps.map(({ id, start, end }) => [id, start, end])
  const text = JSON.stringify([video?.etag ?? null, cuts, spans])
  return (await hashBytes(new TextEncoder().encode(text))).slice(0, NAME_CHARS)
}

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
  const content = await readObject(bucket, version, VersionContent)
  return { number: version.number, timeline: await nameTimeline(content) }
}
