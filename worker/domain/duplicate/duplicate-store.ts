import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { screenCorrections, transcriptCorrections } from '#worker/db/correction-tables.ts'
import { modules, steps } from '#worker/db/schema.ts'
import { translations } from '#worker/db/share-tables.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'

/** A copy of a module whose objects are all there. */
export interface FilledDuplicate {
  fromId: string
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
  modules.earlyIndex,
  modules.videoCodec,
  modules.audioTracks,
  modules.audioTrack,
  modules.takenTrack,
  modules.completionPercent,
  modules.takesReports,
  modules.hasPoster,
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

/** Makes a reserved module the copy of another, in one transaction. Does nothing where it is more than reserved. */
export async function fillDuplicate(d1: D1Database, { fromId, id, keys, etag, nowMs }: FilledDuplicate): Promise<void> {
  const isReserved = 'EXISTS (SELECT 1 FROM modules WHERE id = ?2 AND source_etag IS NULL)'
  await d1.batch([
    ...TABLES.map((table) => d1.prepare(`${copyRows(table)} AND ${isReserved}`).bind(fromId, id)),
    d1
      .prepare(
        `UPDATE modules SET (${COPIED.join(', ')}) = (SELECT ${COPIED.join(', ')} FROM modules AS other WHERE other.id = ?1),
           source_etag = ?3, transcript_key = ?4, captions_key = ?5, screen_key = ?6,
           status = 'READY', run_status = 'READY', progress = 100, message = 'Ready',
           received_at = ?7, uploaded_at = ?7, updated_at = ?7
         WHERE id = ?2 AND source_etag IS NULL`,
      )
      .bind(fromId, id, etag, keys.transcriptKey, keys.captionsKey, keys.screenKey, nowMs),
  ])
}

/** Copies the rows of module `?1` to module `?2`. A condition may follow. */
function copyRows(table: SQLiteTable): string {
  const names = Object.values(getTableColumns(table)).map(({ name }) => name)
  const values = names.map((name) => (name === 'module_id' ? '?2' : name))
  const from = getTableName(table)
  return `INSERT INTO ${from} (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${from} WHERE module_id = ?1`
}
