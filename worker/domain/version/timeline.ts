import { z } from 'zod'
import type { TimeRanges } from '#contract/time/time-ranges.ts'
import { VersionContent } from '#contract/version.ts'
import type { Context } from '#worker/core/context.ts'
import { hashText } from '#worker/domain/signed-payload.ts'
import { readObject } from './version-objects.ts'
import { keepTimeline, type StoredVersion } from './version-store.ts'

/** Of a timeline's name: one training has few of them. */
const NAME_BYTES = 8

/** As it is stored: the video, what is left out of it, and each step with its start and end. */
const Written = z.tuple([
  z.string().nullable(),
  z.array(z.tuple([z.number(), z.number()])),
  z.array(z.tuple([z.string(), z.number(), z.number()])),
])

/** What seconds of a version mean. */
export interface Timeline {
  /** Equal for versions whose seconds mean the same. */
  name: string
  cuts: TimeRanges
  steps: { id: string; start: number; end: number }[]
}

/** Writes what seconds of a version mean: its video, what is left out of it, and from when to when its steps are. */
export function writeTimeline({ video, cuts, steps }: VersionContent): string {
  return JSON.stringify([video?.etag ?? null, cuts, steps.map(({ id, start, end }) => [id, start, end])])
}

/** Reads what seconds of a version mean. @throws {AppError} unavailable */
export async function readTimeline(
  { db, bucket }: Pick<Context, 'db' | 'bucket'>,
  version: StoredVersion,
): Promise<Timeline> {
  const text = version.timeline ?? (await writeMissing({ db, bucket }, version))
  const [, cuts, steps] = Written.parse(JSON.parse(text))
  const name = await hashText(text, NAME_BYTES)
  return { name, cuts, steps: steps.map(([id, start, end]) => ({ id, start, end })) }
}

/** Versions that were published before timelines were stored have none. */
async function writeMissing({ db, bucket }: Pick<Context, 'db' | 'bucket'>, version: StoredVersion): Promise<string> {
  const timeline = writeTimeline(await readObject(bucket, version, VersionContent))
  await keepTimeline(db, version, timeline)
  return timeline
}
