import type { InputAudioTrack } from 'mediabunny'

/** A track of audio that people can choose. */
export interface AudioTrack {
  trackId: number
  /** BCP 47 tag; null where the file does not say. */
  language: string | null
  /** As its maker called it; null without. */
  name: string | null
  /** Whether it is what a player plays that lets nobody choose. */
  isPlayed: boolean
}

/** Nobody chooses among more; a file that has them is made to be a burden. */
const TRACKS_MAX = 32
const NAME_MAX_CHARS = 100

/** Describes tracks of audio in the order of their file. */
export async function describeTracks(tracks: readonly InputAudioTrack[]): Promise<AudioTrack[]> {
  const described: AudioTrack[] = []
  // What is enabled in MP4 is a default, too.
  let playedId: number | null = null
  for (const track of tracks.slice(0, TRACKS_MAX)) {
    if (playedId === null && (await track.getDisposition()).default) playedId = track.id
    described.push({
      trackId: track.id,
      language: toTag(await track.getLanguageCode()),
      name: toName(await track.getName()),
      isPlayed: false,
    })
  }
  playedId ??= described[0]?.trackId ?? null
  return described.map((track) => ({ ...track, isPlayed: track.trackId === playedId }))
}

/** What containers write where the language is not known. */
const UNKNOWN = 'und'

/** `ger` and `deu` are the same as `de`. */
function toTag(code: string): string | null {
  try {
    const [tag = UNKNOWN] = Intl.getCanonicalLocales(code)
    return tag === UNKNOWN ? null : tag
  } catch {
    return null
  }
}

function toName(text: string | null): string | null {
  const name = text
    ?.replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, NAME_MAX_CHARS)
  return name ? name.toWellFormed() : null
}
