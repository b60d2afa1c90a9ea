import { and, desc, eq, getTableColumns, isNotNull } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { modules } from '#worker/db/schema.ts'
import { isOwner } from '#worker/domain/module/get-module.ts'
import { findModule, type ModuleRow, TO_INDEX } from '#worker/domain/module/module-store.ts'
import { FORGET_EXCESS, insertSteps, keepRemoved } from '#worker/domain/step/step-store.ts'
import type { StepToStore } from '#worker/domain/step/tidy-section.ts'
import { CAPTIONS_RUN } from '#worker/domain/transcript/transcript-store.ts'
import type { Caller } from '#worker/ports/identity.ts'

/** Finds the newest recording that is to replace the video of a module and whose bytes have arrived. */
export async function findRecording(db: Db, moduleId: string): Promise<ModuleRow | null> {
  const [row] = await db
    .select()
    .from(modules)
    .where(and(eq(modules.replacesId, moduleId), isNotNull(modules.receivedAt)))
    .orderBy(desc(modules.createdAt), desc(modules.id))
    .limit(1)
  return row ?? null
}

/**
 * Finds the training whose video a recording is to replace. Where that was deleted, or is another person's by now, the
 * recording is a training like any other.
 */
export async function findReplaced(
  db: Db,
  caller: Pick<Caller, 'userId' | 'orgId'>,
  { replacesId }: Pick<ModuleRow, 'replacesId'>,
): Promise<string | null> {
  const replaced = replacesId === null ? null : await findModule(db, replacesId)
  return replaced !== null && isOwner(caller, replaced) ? replaced.id : null
}

/** Where copies of the recording's objects lie in the place of the module, as its columns name them. */
export type CopiedObjects = Pick<ModuleRow, 'captionsKey' | 'transcriptKey' | 'transcriptRun' | 'screenKey'>

/** What a module takes over from a recording. */
export interface Taken {
  module: ModuleRow
  recording: ModuleRow
  copied: CopiedObjects
  steps: readonly StepToStore[]
  /** Who takes it. */
  userId: string
  nowMs: number
}

/**
 * True while module `?1` has the steps and the run, and recording `?2` the video and the transcript, that `?3` was made
 * from, and neither is being made.
 */
const IS_SAME = `EXISTS (SELECT 1 FROM modules AS taker, modules AS taken WHERE taker.id = ?1 AND taken.id = ?2
  AND taker.status = 'READY' AND taker.run_status <> 'PROCESSING' AND taken.run_status <> 'PROCESSING'
  AND (taken.status = 'READY' OR (taken.status = 'FAILED' AND taken.failure_code IN ('no_audio', 'no_narration', 'unnamed')))
  AND taker.steps_version = ?3->>'stepsVersion' AND taker.run = ?3->>'run' AND taker.source_key = ?3->>'sourceKey'
  AND taken.source_key = ?3->>'newKey' AND taken.transcript_key IS ?3->>'transcriptKey')`

/**
 * True once this transaction has put the row of the recording, with the old video, where those of deleted modules lie.
 * After an earlier transaction there is no other row of it.
 */
const IS_MOVED = `EXISTS (SELECT 1 FROM deleted_modules WHERE id = ?2 AND source_key = ?3->>'sourceKey')
  AND EXISTS (SELECT 1 FROM modules AS taken WHERE taken.id = ?2)`

/** Columns of a video, and of what is made of it alone. Those of transcript and screen name objects, which are copied. */
const OF_VIDEO = [
  modules.filename,
  modules.declaredType,
  modules.declaredSizeBytes,
  modules.declaredDurationMs,
  modules.fingerprint,
  modules.uploadedBytes,
  modules.sourceEtag,
  modules.sourceSizeBytes,
  modules.sourceType,
  modules.durationMs,
  modules.earlyIndex,
  modules.videoCodec,
  modules.audioTracks,
  modules.audioTrack,
  modules.takenTrack,
  modules.segmentCount,
  modules.cuts,
  modules.ignoredArea,
  modules.uploadedAt,
].map(({ name }) => name)

const SOURCE_AS_JSON = `json_object('sourceKey', source_key, 'sourceEtag', source_etag, 'sourceSizeBytes', source_size_bytes,
  'sourceType', source_type, 'earlyIndex', json(early_index), 'smallCopy', json(small_copy), 'durationMs', duration_ms, 'cuts', json(cuts), 'audioTracks', json(audio_tracks))`

/** What says which object a video is, and whose; the row of the deleted recording has those of the old one. */
const OF_OBJECT = new Set(['org_id', 'source_key', 'source_etag', 'source_size_bytes', 'source_type', 'early_index'])
const ALL = Object.values(getTableColumns(modules)).map(({ name }) => name)

/** A removed step without what is of the old video alone. */
const FORGET_VIDEO = `json_set(step, '$.originalText', '', '$.segmentIds', json('[]'), '$.commands', json('[]'),
  '$.focus', NULL, '$.imageText', '', '$.imageAt', iif(step->>'imageAt' = 'none', 'none', NULL))`

type Bind = (query: string, ...values: unknown[]) => D1PreparedStatement

/**
 * Has a module take the video of a recording, in one transaction. The recording goes for good, and the old video with
 * it, once no learners see a version with that.
 * @returns names of the images that are no longer known; null when either has changed meanwhile, and nothing has then
 */
export async function takeVideo(d1: D1Database, taken: Taken): Promise<string[] | null> {
  const { module, recording } = taken
  const { stepsVersion, run, sourceKey } = module
  const basis = { stepsVersion, run, sourceKey, newKey: recording.sourceKey, transcriptKey: recording.transcriptKey }
  const bind: Bind = (query, ...values) =>
    d1.prepare(query).bind(module.id, recording.id, JSON.stringify(basis), ...values)
  const images = `DELETE FROM step_images WHERE module_id = ?1 AND is_published = 0 AND ${IS_SAME} RETURNING name`
  const statements = [bind(images), ...replaceWork(bind, taken), ...exchangeVideos(bind, taken)]
  const results = await d1.batch<{ name: string }>(statements)
  const isTaken = results.at(-2)?.meta.changes === 1
  return isTaken ? (results[0]?.results ?? []).map(({ name }) => name) : null
}

/** The steps with their new times, and what depends on the lines and pictures of the video. */
function replaceWork(bind: Bind, { copied, steps, nowMs }: Taken): D1PreparedStatement[] {
  const list = JSON.stringify(steps)
  const lines = copied.transcriptRun === CAPTIONS_RUN ? 'c' : `s${copied.transcriptRun}`
  const forget = (table: string) => bind(`DELETE FROM ${table} WHERE module_id = ?1 AND ${IS_SAME}`)
  return [
    bind(keepRemoved({ kept: '?4', nowMs: '?5', where: IS_SAME }), list, nowMs),
    bind(`${FORGET_EXCESS} AND ${IS_SAME}`),
    bind(`UPDATE removed_steps SET step = ${FORGET_VIDEO} WHERE module_id = ?1 AND ${IS_SAME}`),
    forget('steps'),
    bind(`${insertSteps('json_each(?4)')} WHERE ${IS_SAME}`, list),
    forget('step_proposals'),
    forget('transcript_corrections'),
    forget('screen_corrections'),
    bind(
      `INSERT INTO transcript_corrections (module_id, segment_id, start_ms, end_ms, transcribed_text, text, screen_text, edited_at)
       SELECT ?1, ?4 || substr(segment_id, instr(segment_id, '-')), start_ms, end_ms, transcribed_text, text, screen_text, edited_at
       FROM transcript_corrections WHERE module_id = ?2 AND ${IS_SAME}`,
      lines,
    ),
    bind(`UPDATE screen_corrections SET module_id = ?1 WHERE module_id = ?2 AND ${IS_SAME}`),
  ]
}

/** A key may stand in one row of `modules` only, so the recording's row is moved in between. */
function exchangeVideos(bind: Bind, { module, copied, userId, nowMs }: Taken): D1PreparedStatement[] {
  const moved = ALL.map((name) => `${OF_OBJECT.has(name) ? 'taker' : 'taken'}.${name}`)
  return [
    bind(
      `INSERT INTO deleted_modules (${ALL.join(', ')}, deleted_at, is_final)
       SELECT ${moved.join(', ')}, ?4, 1 FROM modules AS taken, modules AS taker
       WHERE taken.id = ?2 AND taker.id = ?1 AND ${IS_SAME}`,
      nowMs,
    ),
    bind(`UPDATE modules SET source_key = 'taken/' || source_key WHERE id = ?2 AND ${IS_MOVED}`),
    bind(
      `UPDATE modules SET source_key = ?3->>'newKey', (${OF_VIDEO.join(', ')}) =
           (SELECT ${OF_VIDEO.join(', ')} FROM modules AS taken WHERE taken.id = ?2),
         small_copy = NULL, learner_source = iif(published_version > 0, coalesce(learner_source, ${SOURCE_AS_JSON}), NULL),
         has_poster = iif(published_version > 0, has_poster, (SELECT has_poster FROM modules AS taken WHERE taken.id = ?2)),
         captions_key = ?4->>'captionsKey', transcript_key = ?4->>'transcriptKey', transcript_run = ?4->>'transcriptRun',
         screen_key = ?4->>'screenKey', run = ?5, run_status = 'READY', failure_code = NULL, last_error = NULL,
         steps_version = steps_version + 1, edited_version = steps_version + 1, indexed_version = ${TO_INDEX}, updated_at = ?6,
         edited_by = iif(org_id IS NULL, edited_by, ?7)
       WHERE id = ?1 AND ${IS_MOVED}`,
      JSON.stringify(copied),
      runOfTaken(module),
      nowMs,
      userId,
    ),
    bind(`DELETE FROM modules WHERE id = ?2 AND ${IS_MOVED}`),
  ]
}

/** Runs of the old video cannot end any more, and lines of the new one have names of their own. */
export function runOfTaken({ run }: Pick<ModuleRow, 'run'>): number {
  return run + 1
}
