import { nanoid } from 'nanoid'
import {
  SCREEN_READING_MAX_BYTES,
  SCREEN_SECRETS_MAX,
  ScreenArea,
  type ScreenBlock,
  ScreenReading,
} from '#contract/screen.ts'
import { findSecret } from '#screen/find-secret.ts'
import { replaceReading } from '#screen/replace-reading.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { type ModuleRow, TO_INDEX } from '#worker/domain/module/module-store.ts'
import { videoReplaced } from '#worker/domain/module/video-id.ts'
import { IS_REPAIR, takeBackRepairs } from './repair-transcript.ts'
import { IS_SCREEN_READ } from './screen-switch.ts'

/** Where the readings of a module are stored. An object never changes; the module's row names the one that counts. */
export function screensOf(moduleId: string): string {
  return `screens/${moduleId}/`
}

/** What is known of a module whose screen was read. */
type ReadModule = Pick<ModuleRow, 'id' | 'sourceKey' | 'ignoredArea' | 'screenKey'>

/**
 * Stores what was read from a module's screen, in place of what was read before, once it has reached as far. Text that looks like a secret, and that
 * of an area that its owner wants to be ignored, is left out, whatever the client sent.
 * @throws {AppError} screen_off where the owner wants no reading, payload_too_large, source_changed where the video was
 *   replaced meanwhile
 */
export async function saveReading(
  { d1, bucket }: Pick<Context, 'd1' | 'bucket'>,
  module: ReadModule,
  reading: ScreenReading,
): Promise<void> {
  const { id: moduleId, ignoredArea, screenKey } = module
  const encode = (each: ScreenReading) =>
    new TextEncoder().encode(JSON.stringify(withoutSecrets(outside(ignoredArea, each))))
  const before = await findReading(bucket, { screenKey })
  const whole = replaceReading(before, reading)
  if (whole === before) return
  const joined = encode(whole)
  // What an earlier reading adds is left out where it has no room.
  const bytes = joined.byteLength > SCREEN_READING_MAX_BYTES ? encode(reading) : joined
  if (bytes.byteLength > SCREEN_READING_MAX_BYTES)
    throw new AppError('payload_too_large', 'What was read from a screen may have at most 500 kB.')
  const key = `${screensOf(moduleId)}${nanoid()}`
  await bucket.put(key, bytes, { httpMetadata: { contentType: 'application/json' } })
  const named = await nameReading(d1, module, key)
  if (named === null) {
    await bucket.delete(key)
    await requireVideo(d1, module)
    throw new AppError('screen_off', 'The owner does not want the screen of this training to be read.')
  }
  if (named.before !== null) await bucket.delete(named.before)
  // The owner may have chosen another area since the module was read.
  if (JSON.stringify(named.area) !== JSON.stringify(ignoredArea))
    await saveReading({ d1, bucket }, { ...module, ignoredArea: named.area, screenKey: key }, reading)
}

/** Names the object that counts. @returns the one before, and the area that is ignored; null where no reading is wanted */
async function nameReading(
  d1: D1Database,
  { id: moduleId, sourceKey }: ReadModule,
  key: string,
): Promise<{ before: string | null; area: ScreenArea | null } | null> {
  const bind = (sql: string, ...values: unknown[]) => d1.prepare(sql).bind(moduleId, ...values)
  const [before, after] = await d1.batch<{ key: string | null; area: string | null }>([
    bind('SELECT screen_key AS key FROM modules WHERE id = ?1'),
    bind(
      `UPDATE modules SET screen_key = ?2, indexed_version = ${TO_INDEX}
       WHERE id = ?1 AND source_key = ?3 AND ${IS_SCREEN_READ} RETURNING ignored_area AS area`,
      key,
      sourceKey,
    ),
  ])
  const [row] = after?.results ?? []
  if (row === undefined) return null
  return {
    before: before?.results[0]?.key ?? null,
    area: row.area === null ? null : ScreenArea.parse(JSON.parse(row.area)),
  }
}

/** @throws {AppError} source_changed */
async function requireVideo(d1: D1Database, { id, sourceKey }: ReadModule): Promise<void> {
  const query = 'SELECT 1 FROM modules WHERE id = ?1 AND source_key = ?2'
  if ((await d1.prepare(query).bind(id, sourceKey).first()) === null) throw videoReplaced()
}

/** Leaves out what has its middle in an area. */
function outside(area: ScreenArea | null, reading: ScreenReading): ScreenReading {
  if (area === null) return reading
  const isInside = ({ box }: ScreenBlock) => {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    return x >= area.x && x <= area.x + area.width && y >= area.y && y <= area.y + area.height
  }
  return { ...reading, blocks: reading.blocks.filter((block) => !isInside(block)) }
}

/** Removes what was read in the area that a module's owner wants to be ignored. */
export async function removeIgnored(context: Pick<Context, 'd1' | 'bucket'>, module: ReadModule): Promise<void> {
  const reading = await findReading(context.bucket, module)
  if (reading !== null) await saveReading(context, module, reading)
}

function withoutSecrets(reading: ScreenReading): ScreenReading {
  const secrets = [...reading.secrets]
  const blocks = reading.blocks.filter(({ text, startMs, endMs }) => {
    const kind = findSecret(text)
    if (kind !== null) secrets.push({ startMs, endMs, kind })
    return kind === null
  })
  return { ...reading, blocks, secrets: secrets.slice(0, SCREEN_SECRETS_MAX) }
}

/** Finds what was read from a module's screen; null where nothing was. */
export async function findReading(
  bucket: R2Bucket,
  { screenKey }: Pick<ModuleRow, 'screenKey'>,
): Promise<ScreenReading | null> {
  const object = screenKey === null ? null : await bucket.get(screenKey)
  return object && ScreenReading.parse(await object.json())
}

/** Removes what was read from a module's screen, and what was made of it; steps keep what they have of it. */
export async function removeReading(
  context: Pick<Context, 'db' | 'd1' | 'bucket' | 'rooms' | 'nowMs'>,
  module: ModuleRow,
): Promise<void> {
  const { d1, bucket } = context
  const { id: moduleId } = module
  await takeBackRepairs(context, module)
  const [before] = await d1.batch<{ key: string | null }>([
    d1.prepare('SELECT screen_key AS key FROM modules WHERE id = ?1').bind(moduleId),
    d1.prepare('DELETE FROM screen_corrections WHERE module_id = ?1').bind(moduleId),
    // Of a module that is processed: its steps are written from its next transcript.
    d1.prepare(`DELETE FROM transcript_corrections WHERE module_id = ?1 AND ${IS_REPAIR}`).bind(moduleId),
    d1.prepare(`UPDATE modules SET screen_key = NULL, indexed_version = ${TO_INDEX} WHERE id = ?1`).bind(moduleId),
  ])
  const key = before?.results[0]?.key
  if (key != null) await bucket.delete(key)
}
