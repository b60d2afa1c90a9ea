import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { screenCorrections, transcriptCorrections } from '#worker/db/correction-tables.ts'
import { modules, steps } from '#worker/db/schema.ts'
import { translations } from '#worker/db/share-tables.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'

/** A copy of a module whose objects are all there. */
export interface FilledDuplicate {
  /** The other module, as it was when its objects were copied. */
  from: ModuleRow
  id: string
  keys: Pick<ModuleRow, 'transcriptKey' | 'captionsKey' | 'screenKey'>
  /** Of its video. */
  etag: string
  nowMs: number
}

/** Settings and what is known of the video. Its link, versions, learners and reports are of the other module alone. */
const COPIED = [
  modules.uploadedBytes,
  modules.sourceSizeBytes,
  modules.sourceType,
  modules.durationMs,
  modules.videoCodec,
  modules.audioTracks,
  modules.audioTrack,
  modules.takenTrack,
  modules.completionPercent,
  modules.takesReports,
  modules.language,
  modules.glossary,
  modules.languages,
  modules.transcriptRun,
  modules.segmentCount,
  modules.readsScreen,
  modules.readsScreenAnyway,
  modules.cuts,
  modules.ignoredArea,
  modules.stepsVersion,
  modules.editedVersion,
  modules.madeVersion,
  modules.run,
].map(({ name }) => name)

/** What people and runs made of it. */
const TABLES = [steps, transcriptCorrections, screenCorrections, translations]

/** While the other module `?1` has the objects of `?3` that were copied, and module `?2` is no more than reserved. */
const IS_SAME = `EXISTS (SELECT 1 FROM modules WHERE id = ?2 AND source_etag IS NULL)
  AND EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND source_key = ?3->>'sourceKey' AND source_etag = ?3->>'sourceEtag'
    AND transcript_key IS ?3->>'transcriptKey' AND captions_key IS ?3->>'captionsKey' AND screen_key IS ?3->>'screenKey')`

/**
 * Makes a reserved module the copy of another, in one transaction.
 * @returns false where the objects of the other are no longer those that were copied; nothing has changed then
 */
export async function fillDuplicate(
  d1: D1Database,
  { from, id, keys, etag, nowMs }: FilledDuplicate,
): Promise<boolean> {
  const { sourceKey, sourceEtag, transcriptKey, captionsKey, screenKey } = from
  const basis = JSON.stringify({ sourceKey, sourceEtag, transcriptKey, captionsKey, screenKey })
  const bind = (query: string, ...values: unknown[]) => d1.prepare(query).bind(from.id, id, basis, ...values)
  const results = await d1.batch([
    ...TABLES.map((table) => bind(`${copyRows(table)} AND ${IS_SAME}`)),
    bind(
      `UPDATE modules SET (${COPIED.join(', ')}) = (SELECT ${COPIED.join(', ')} FROM modules AS other WHERE other.id = ?1),
         source_etag = ?4, transcript_key = ?5, captions_key = ?6, screen_key = ?7, early_index = ?8, has_poster = ?9,
         status = 'READY', run_status = 'READY', progress = 100, message = 'Ready',
         received_at = ?10, uploaded_at = ?10, updated_at = ?10
       WHERE id = ?2 AND ${IS_SAME}`,
      etag,
      keys.transcriptKey,
      keys.captionsKey,
      keys.screenKey,
      from.earlyIndex === null ? null : JSON.stringify(from.earlyIndex),
      from.hasPoster ? 1 : 0,
      nowMs,
    ),
  ])
  return results.at(-1)?.meta.changes === 1
}

/** Copies the rows of module `?1` to module `?2`. A condition may follow. */
function copyRows(table: SQLiteTable): string {
  const names = Object.values(getTableColumns(table)).map(({ name }) => name)
  const values = names.map((name) => (name === 'module_id' ? '?2' : name))
  const from = getTableName(table)
  return `INSERT INTO ${from} (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${from} WHERE module_id = ?1`
}
