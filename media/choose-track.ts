import type { Input, InputAudioTrack } from 'mediabunny'
import { type AudioKind, readAudioKind } from './audio-chunk.ts'
import { findSpeakers, type Heard, LoudnessBins } from './find-speakers.ts'
import type { PacketFeed } from './iso/audio-index.ts'
import { openIsoFeed, TrackFeed } from './open-media.ts'
import { PacketSilence } from './packet-silence.ts'
import { isIsoMedia, type VideoContainer } from './sniff-container.ts'
import { type ByteWindow, MediaFault } from './source/byte-window.ts'

/** A track of audio that can be carried on. */
export interface ReadableTrack {
  track: InputAudioTrack
  kind: AudioKind
}

/** The one that is transcribed. */
export interface ChosenAudio extends ReadableTrack {
  /** Those that are transcribed with it, because other speakers have them. */
  speakerIds: number[]
}

interface Rated extends ReadableTrack, Heard {
  isDefault: boolean
  /** Whether it speaks about the video rather than in it. */
  isAside: boolean
  /** Share of its packets that are no silence. */
  activeShare: number
}

/** What a source is, and how long. */
export interface ChoiceFacts {
  container: VideoContainer
  startMs: number
  durationMs: number
  /** The track that a person has chosen; null where none has. */
  chosenId: number | null
}

export interface AudioChoice {
  /** Null where none can be read. */
  chosen: ChosenAudio | null
  /** Where nothing but their words decides between some of them, these, with the chosen one first; otherwise empty. */
  candidates: ReadableTrack[]
  /** All that can be read and have a packet, in the order of the file; not looked through where there is but one. */
  readable: ReadableTrack[]
}

/** Nothing but silence, but for a click. */
const SILENT_SHARE = 0.02
/** Of tracks that differ by less, their words decide. */
const EQUAL_SHARE = 0.8
/** Each costs a few minutes of transcription. */
const CANDIDATES_MAX = 3
/** A track that a player would choose is taken unless another one has more than twice as much activity. */
const DEFAULT_SHARE = 0.5

/**
 * Chooses the track of audio whose words are the video's: the one that a person has chosen, otherwise what a player would
 * choose, unless it is silent, cannot be read, or speaks about the video.
 */
export async function chooseAudio(source: ByteWindow, input: Input, facts: ChoiceFacts): Promise<AudioChoice> {
  const listed = await listReadable(await input.getAudioTracks())
  if (listed.length <= 1) return { chosen: aloneOf(listed[0]), candidates: [], readable: listed }
  const readable = await dropEmpty(source, listed, facts.container)
  const ofPerson = readable.find(({ track }) => track.id === facts.chosenId)
  if (ofPerson !== undefined) return { chosen: aloneOf(ofPerson), candidates: [], readable }
  if (readable.length <= 1) return { chosen: aloneOf(readable[0] ?? listed[0]), candidates: [], readable }
  const activities = await measureActivities(source, readable, facts)
  const rated: Rated[] = []
  for (const { track, kind, ...activity } of activities) {
    const disposition = await track.getDisposition()
    const isAside = disposition.commentary || disposition.visuallyImpaired || ASIDE.test((await track.getName()) ?? '')
    const language = await track.getLanguageCode()
    const isSilent = activity.activeShare < SILENT_SHARE
    rated.push({ track, kind, ...activity, isSilent, language, isDefault: disposition.default, isAside })
  }
  const best = pick(rated)
  const [chosen] = best
  if (chosen === undefined) return { chosen: aloneOf(readable[0]), candidates: [], readable }
  // A player begins with the first track unless somebody has named another one: then the others stand in its place.
  const isNamed = chosen.isDefault && rated.every((each) => each === chosen || !each.isDefault) && rated[0] !== chosen
  const others = isNamed ? [] : rated.filter((each) => each !== chosen && !each.isAside)
  const speakerIds = findSpeakers(chosen, others).map(({ track }) => track.id)
  const isUnsure = best.length > 1 && speakerIds.length === 0
  return {
    chosen: { track: chosen.track, kind: chosen.kind, speakerIds },
    candidates: isUnsure ? best.slice(0, CANDIDATES_MAX) : [],
    readable,
  }
}

function aloneOf(track: ReadableTrack | undefined): ChosenAudio | null {
  return track === undefined ? null : { ...track, speakerIds: [] }
}

/** Some recorders declare tracks of audio and never write to them. */
async function dropEmpty(source: ByteWindow, tracks: readonly ReadableTrack[], container: VideoContainer) {
  const filled: ReadableTrack[] = []
  for (const each of tracks) {
    if ((await (await openFeed(source, each, container)).seek(0)) !== null) filled.push(each)
  }
  return filled
}

/** How makers call what is spoken about a film, or for those who do not see it. */
const ASIDE = /comment|descri/i

async function listReadable(tracks: readonly InputAudioTrack[]): Promise<ReadableTrack[]> {
  const readable: ReadableTrack[] = []
  let fault: MediaFault | null = null
  for (const track of tracks) {
    try {
      const kind = await readAudioKind(track)
      if (kind !== null) readable.push({ track, kind })
    } catch (error) {
      if (!(error instanceof MediaFault)) throw error
      fault = error
    }
  }
  if (readable.length === 0 && fault !== null) throw fault
  return readable
}

/** The packets of a track, from the reader that knows its container best. */
export async function openFeed(
  source: ByteWindow,
  { track, kind }: ReadableTrack,
  container: VideoContainer,
): Promise<PacketFeed> {
  const isPcm = kind.format.loudness === null
  return (
    (isIsoMedia(container) ? await openIsoFeed(source, { trackId: track.id, isPcm }) : null) ?? new TrackFeed(track)
  )
}

/** Those with about the most activity among the ones that a player would choose, or among all. */
function pick(rated: readonly Rated[]): Rated[] {
  const ofVideo = rated.some(({ isAside }) => !isAside) ? rated.filter(({ isAside }) => !isAside) : rated
  const most = ofVideo.reduce((share, { activeShare }) => Math.max(share, activeShare), 0)
  const active = ofVideo.filter(({ activeShare }) => activeShare >= Math.min(SILENT_SHARE, most))
  const usual = active.filter(({ isDefault, activeShare }) => isDefault && activeShare >= DEFAULT_SHARE * most)
  const among = usual.length > 0 ? usual : active
  const best = among.reduce((share, { activeShare }) => Math.max(share, activeShare), 0)
  return among.filter(({ activeShare }) => activeShare >= EQUAL_SHARE * best)
}

/** A few looks of some seconds say what a track holds; a short recording is looked at whole. */
const LOOKS = 8
const LOOK_MS = 4_000

/** Looks at all tracks in one place before the next, since their packets lie side by side in the file. */
async function measureActivities(
  source: ByteWindow,
  tracks: readonly ReadableTrack[],
  { container, startMs, durationMs }: ChoiceFacts,
): Promise<(ReadableTrack & Pick<Rated, 'activeShare' | 'bins'>)[]> {
  const measured = await Promise.all(
    tracks.map(async (each) => ({
      each,
      feed: await openFeed(source, each, container),
      silence: new PacketSilence(each.kind),
      bins: new LoudnessBins(each.kind),
    })),
  )
  const everyMs = Math.max(LOOK_MS, durationMs / LOOKS)
  for (let fromMs = startMs; fromMs < startMs + Math.max(1, durationMs); fromMs += everyMs) {
    for (const { feed, silence, bins } of measured) {
      let packet = await feed.seek(fromMs)
      for (; packet !== null && packet.startMs < fromMs + LOOK_MS; packet = await feed.next()) {
        if (packet.startMs < fromMs) continue
        silence.add(packet.bytes)
        bins.add(packet)
      }
    }
  }
  return measured.map(({ each, silence, bins }) => {
    return { ...each, activeShare: silence.count > 0 ? silence.activeCount / silence.count : 0, bins }
  })
}
