import type { ByteWindow } from '../source/byte-window.ts'
import { measureMissing, readFragments, startOfRun } from './fragment-runs.ts'
import type { IsoMovie, IsoTrack } from './iso-movie.ts'

/** When a track begins and ends by its samples. Milliseconds. */
export interface TrackSpan {
  startMs: number
  endMs: number
  /** How much of what fragments name lies beyond the end of the file. */
  missingMs: number
}

/** In a usual file, each track has samples in the first few fragments. */
const FIRST_FRAGMENTS = 100

/**
 * Measures when the tracks of a movie begin and end, by their samples. A track without a sample has no span.
 * @param upTo `beginning`: reads only until the beginning of each track is known
 */
export async function measureTracks(
  source: ByteWindow,
  movie: IsoMovie,
  upTo: 'beginning' | 'end',
): Promise<Map<number, TrackSpan>> {
  const spans = new Map<number, TrackSpan>()
  for (const track of movie.tracks) {
    const { id, edits, listedTicks, timescale } = track
    const playedAt = edits[0]?.playedAt ?? 0
    if (listedTicks === 0) continue
    spans.set(id, { startMs: (playedAt * 1000) / timescale, endMs: endOfListed(track), missingMs: 0 })
  }
  if (!movie.isFragmented) return spans
  let count = 0
  for await (const runs of readFragments(source, movie)) {
    if (upTo === 'beginning' && (spans.size === movie.tracks.length || ++count > FIRST_FRAGMENTS)) break
    for (const run of runs) {
      const track = movie.tracks.find(({ id }) => id === run.trackId)
      if (track === undefined) continue
      const startMs = (startOfRun(run, track) * 1000) / track.timescale
      const endMs = startMs + (run.lengthTicks * 1000) / track.timescale
      const missingMs = (measureMissing(run, source.sizeBytes) * 1000) / track.timescale
      const span = spans.get(run.trackId) ?? { startMs, endMs, missingMs: 0 }
      spans.set(run.trackId, {
        startMs: Math.min(span.startMs, startMs),
        endMs: Math.max(span.endMs, endMs),
        missingMs: span.missingMs + missingMs,
      })
    }
  }
  return spans
}

/** When the track ends that the index lists, by its samples. Milliseconds. */
export function endOfListed({
  edits,
  listedTicks,
  timescale,
}: Pick<IsoTrack, 'edits' | 'listedTicks' | 'timescale'>): number {
  const ends = edits.map(
    ({ playedAt, mediaAt, length }) => playedAt + Math.min(length, Math.max(0, listedTicks - mediaAt)),
  )
  return (ends.reduce((latest, end) => Math.max(latest, end), 0) * 1000) / timescale
}
