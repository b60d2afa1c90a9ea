import { nanoid } from 'nanoid'
import { SCREEN_READING_MAX_BYTES, SCREEN_SECRETS_MAX, ScreenReading } from '#contract/screen.ts'
import { findSecret } from '#screen/find-secret.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { type ModuleRow, TO_INDEX } from '#worker/domain/module/module-store.ts'

/** Where the readings of a module are stored. An object never changes; the module's row names the one that counts. */
export function screensOf(moduleId: string): string {
  return `screens/${moduleId}/`
}

/**
 * Stores what was read from a module's screen, in place of what was read before. Text that looks like a secret is left
 * out, whatever the client sent.
 * @throws {AppError} screen_off where the owner wants no reading, payload_too_large
 */
export async function saveReading(
  { d1, bucket }: Pick<Context, 'd1' | 'bucket'>,
  { id: moduleId }: Pick<ModuleRow, 'id'>,
  reading: ScreenReading,
): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(withoutSecrets(reading)))
  if (bytes.byteLength > SCREEN_READING_MAX_BYTES)
    throw new AppError('payload_too_large', 'What was read from a screen may have at most 500 kB.')
  const key = `${screensOf(moduleId)}${nanoid()}`
  await bucket.put(key, bytes, { httpMetadata: { contentType: 'application/json' } })
  const before = await nameReading(d1, moduleId, key)
  if (before === undefined) {
    await bucket.delete(key)
    throw new AppError('screen_off', 'The owner does not want the screen of this training to be read.')
  }
  if (before !== null) await bucket.delete(before)
}

/** Names the object that counts. @returns the one before; undefined where none is wanted */
async function nameReading(d1: D1Database, moduleId: string, key: string): Promise<string | null | undefined> {
  const bind = (sql: string, ...values: unknown[]) => d1.prepare(sql).bind(moduleId, ...values)
  const [before, after] = await d1.batch<{ key: string | null }>([
    bind('SELECT screen_key AS key FROM modules WHERE id = ?1'),
    bind(
      `UPDATE modules SET screen_key = ?2, indexed_version = ${TO_INDEX}
       WHERE id = ?1 AND reads_screen = 1 RETURNING screen_key AS key`,
      key,
    ),
  ])
  return after?.results.length === 1 ? (before?.results[0]?.key ?? null) : undefined
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

/** Removes what was read from a module's screen, and what was made of it. */
export async function removeReading({ d1, bucket }: Pick<Context, 'd1' | 'bucket'>, moduleId: string): Promise<void> {
  const [before] = await d1.batch<{ key: string | null }>([
    d1.prepare('SELECT screen_key AS key FROM modules WHERE id = ?1').bind(moduleId),
    d1.prepare('DELETE FROM screen_corrections WHERE module_id = ?1').bind(moduleId),
    d1.prepare(`UPDATE modules SET screen_key = NULL, indexed_version = ${TO_INDEX} WHERE id = ?1`).bind(moduleId),
  ])
  const key = before?.results[0]?.key
  if (key != null) await bucket.delete(key)
}
