import { sql } from 'drizzle-orm'
import type { AudioTrack, ModulePatch } from '#contract/module.ts'
import type { AudioFacts, MediaFacts } from '#media/read-facts.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Db } from '#worker/db/db.ts'
import { modules, runs, type StoredTrack } from '#worker/db/schema.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { isRunCurrent } from './fence.ts'
import { type CurrentRun, findRun, isRun, type RunRow } from './run-store.ts'

/** The track that the next transcription of a module is of; null for a video with one, and until it is read. */
export function wantedTrack({ audioTrack, takenTrack }: ModuleRow): number | null {
  return audioTrack ?? takenTrack
}

/** Whether a run is of the track that is wanted now. Where none is yet, the next run decides it. */
export function isOfTrack(run: RunRow, module: ModuleRow): boolean {
  return run.audioTrack === wantedTrack(module)
}

/**
 * The track that a run is to cut because a person has chosen it; null where Adapt chooses. A run that has begun stays
 * with its track, whatever is chosen meanwhile.
 */
export function chosenTrackOf(module: ModuleRow, run: RunRow): number | null {
  const trackId = run.audioTrack ?? module.audioTrack
  return trackId === module.takenTrack ? null : trackId
}

/** Keeps which tracks a video has, and which of them the run transcribes; nothing where there is but one. */
export async function storeTracks(
  db: Db,
  { module, run }: CurrentRun,
  { audio, audioTracks, candidates }: Pick<MediaFacts, 'audio' | 'audioTracks' | 'candidates'>,
): Promise<void> {
  if (audioTracks.length === 0 || audio === null || audio.trackId === run.audioTrack) return
  const { trackId } = audio
  const isTaken = chosenTrackOf(module, run) === null && candidates.length === 0
  await db.batch([
    db.update(runs).set({ audioTrack: trackId }).where(isRun(run)),
    db
      .update(modules)
      .set({
        audioTracks: withSpeakers(audioTracks, { audio, before: module.audioTracks ?? [] }),
        ...(isTaken ? { takenTrack: trackId } : {}),
      })
      .where(sql`${modules.id} = ${module.id} AND ${isRunCurrent(run)}`),
  ])
}

/** What an earlier run has found of another track stays: the transcript may be of that one still. */
function withSpeakers(
  tracks: MediaFacts['audioTracks'],
  { audio, before }: { audio: AudioFacts; before: readonly StoredTrack[] },
): StoredTrack[] {
  return tracks.map((track) => {
    const stored = before.find(({ trackId }) => trackId === track.trackId)
    return { ...track, speakerIds: track.trackId === audio.trackId ? audio.speakerIds : (stored?.speakerIds ?? []) }
  })
}

/** Lists the tracks of audio of a video that has several, with which of them the transcript is of: one, or all speakers'. */
export async function listAudioTracks(
  db: Db,
  { id: moduleId, audioTracks, transcriptRun: run }: Pick<ModuleRow, 'id' | 'audioTracks' | 'transcriptRun'>,
): Promise<AudioTrack[]> {
  if (audioTracks === null) return []
  const transcribed = run === null ? null : await findRun(db, { moduleId, run })
  const main = audioTracks.find(({ trackId }) => trackId === transcribed?.audioTrack)
  const ids = main === undefined ? [] : [main.trackId, ...(main.speakerIds ?? [])]
  return audioTracks.map(({ trackId, language, name, isPlayed }) => {
    return { trackId, language, name, isPlayed, isTranscribed: ids.includes(trackId) }
  })
}

/**
 * A change of a module, by which another track forgets the language that the one before was heard in.
 * @throws {AppError} invalid_request for a track that the video does not have
 */
export function toTrackChange(module: ModuleRow, patch: ModulePatch): ModulePatch {
  const { audioTrack } = patch
  if (audioTrack === undefined) return patch
  const isThere = audioTrack === null || (module.audioTracks ?? []).some(({ trackId }) => trackId === audioTrack)
  if (!isThere) throw new AppError('invalid_request', 'The video has no such audio track.')
  const isOther = (audioTrack ?? module.takenTrack) !== wantedTrack(module)
  return isOther ? { language: null, ...patch } : patch
}
