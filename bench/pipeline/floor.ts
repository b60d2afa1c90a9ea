/** What the bench's workers answer to the bench. */

/** How the audio of a run comes to be cut: by our own reader in ingest, or in the browser during the upload. */
export type Way = 'server' | 'client'

export interface RunRequest {
  video: string
  way: Way
  profile: ProfileName
}

/** So many copies of a video, each of them a module of one owner. */
export interface ArrivalsRequest {
  video: string
  userId: string
  count: number
}

/** A floor is measured of the `server` way; what its chunks will be is known from cutting them alone. */
export interface FloorRequest extends Omit<RunRequest, 'way'> {
  allowed: Allowed
  chunks: readonly CutChunk[]
}

/** How long the least that a pipeline can do takes, beside the same models. */
export type Floor = Record<'firstStepMs' | 'readyMs', number>

/** How much the pipeline may do side by side; the floor is computed from it. */
export interface Allowed {
  speechCalls: number
  languageCalls: number
  /** Seconds of narration that are written in one call: the first sections of a video, then the last number on and on. */
  sectionsS: readonly [number, ...number[]]
  /** The most of a video that is outlined in one call. */
  outlinedMaxMs: number
}

export interface CutChunk {
  startMs: number
  endMs: number
  /** Length of what the recogniser is given, overlap included. */
  audioMs: number
  /** When cutting had come to the end of this chunk, counted from its beginning; 0 where it was cut before the run. */
  cutAtMs: number
}

export interface CallMeter {
  inFlight: number
  mostInFlight: number
}

/** What happened in the worker since the run was prepared. */
export interface Tally {
  d1: { statements: number; rowsRead: number; rowsWritten: number }
  r2Operations: number
  queueMessages: number
  speechCalls: CallMeter
  languageCalls: CallMeter
  speechJobs: { chunk: number; durationMs: number }[]
  /** When the job of each section was done for the first time, by number, counted from the start of the run. */
  writtenAtMs: Record<number, number>
  /** Whatever was logged as a warning or an error: such a run measures something else. */
  complaints: string[]
}

export interface Profile {
  /** Seconds of a call of the recogniser that do not depend on its length. */
  speechStartS: number
  /** Seconds of audio that are transcribed per second. */
  speechSpeed: number
  /** Seconds until the language model writes its first token, without the reading. */
  languageStartS: number
  readTokensPerS: number
  writtenTokensPerS: number
}

/**
 * Assumed, around what is published. The fast recogniser is Whisper large-v3-turbo at Groq (216 times real time,
 * console.groq.com/docs/speech-text), whose answers to 30 and 60 s take a few tenths of a second; for Workers AI
 * only short clips are reported, at 0.6–4 s (github.com/burgil/whisper-test). No source says how fast one stream of
 * Llama 3.3 70B is written there; 30–80 tokens a second is what such models are usually served at.
 */
export const PROFILES = {
  slow: { speechStartS: 1.5, speechSpeed: 20, languageStartS: 0.6, readTokensPerS: 5_000, writtenTokensPerS: 30 },
  mid: { speechStartS: 0.8, speechSpeed: 60, languageStartS: 0.6, readTokensPerS: 5_000, writtenTokensPerS: 50 },
  fast: { speechStartS: 0.5, speechSpeed: 216, languageStartS: 0.6, readTokensPerS: 5_000, writtenTokensPerS: 80 },
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof PROFILES

/**
 * Read: 150–200 spoken words with their segment numbers and times. Written: about one step, of about 110 tokens, and the
 * braces around it.
 */
const SECTION_TOKENS_PER_MIN = { read: 260, written: 120 }
/** The instructions, the same in every call. */
const PROMPT_TOKENS = 900
const MS_PER_MIN = 60_000

export function speechCallMs(profile: Profile, audioMs: number): number {
  return profile.speechStartS * 1_000 + audioMs / profile.speechSpeed
}

export function languageCallMs(profile: Profile, narrationMs: number, perMin = SECTION_TOKENS_PER_MIN): number {
  const minutes = narrationMs / MS_PER_MIN
  const readS = (perMin.read * minutes + PROMPT_TOKENS) / profile.readTokensPerS
  const writtenS = (perMin.written * minutes) / profile.writtenTokensPerS
  return (profile.languageStartS + readS + writtenS) * 1_000
}

/** The narration again, under the titles of its steps, and the entries: about one a minute. */
const OUTLINE_TOKENS_PER_MIN = { read: 290, written: 20 }

/** How long the language model takes to outline a video, or a part of it, whose steps are written. */
export function outlineCallMs(profile: Profile, videoMs: number): number {
  return languageCallMs(profile, videoMs, OUTLINE_TOKENS_PER_MIN)
}

/** How long it takes to outline a whole video: one that is too long for a call in halves, at the same time. */
export function outlineMs(profile: Profile, videoMs: number, allowed: Pick<Allowed, 'outlinedMaxMs'>): number {
  return videoMs > allowed.outlinedMaxMs ? outlineMs(profile, videoMs / 2, allowed) : outlineCallMs(profile, videoMs)
}

export function isProfileName(name: string): name is ProfileName {
  return name in PROFILES
}

/**
 * How fast a run can be when nothing but the models and the reader of the audio takes any time: a chunk can be transcribed
 * when it has been cut, a section can be written when all its chunks have been transcribed, and each model takes as many calls
 * at once as are allowed, in the order in which they can begin.
 */
export function floorOf(of: { profile: Profile; allowed: Allowed; chunks: readonly CutChunk[] }): Floor {
  const { profile, allowed, chunks } = of
  const calls = chunks.map(({ cutAtMs: fromMs, audioMs }) => ({ fromMs, callMs: speechCallMs(profile, audioMs) }))
  const transcribedAt = schedule(calls, allowed.speechCalls)
  const endMs = chunks.at(-1)?.endMs ?? 0
  const writings = planSections(endMs, allowed.sectionsS).map((section) => {
    const fromMs = Math.max(...transcribedAt.filter((_, at) => isIn(section, chunks[at] as CutChunk)))
    return { fromMs, callMs: languageCallMs(profile, section.endMs - section.startMs) }
  })
  const writtenAt = schedule(writings, allowed.languageCalls)
  return { firstStepMs: Math.min(...writtenAt), readyMs: Math.max(...writtenAt) }
}

/** The same until the list is outlined, once all sections are written. */
export function outlinedFloorOf(floored: Parameters<typeof floorOf>[0]): Floor {
  const { firstStepMs, readyMs } = floorOf(floored)
  const { profile, allowed, chunks } = floored
  return { firstStepMs, readyMs: readyMs + outlineMs(profile, chunks.at(-1)?.endMs ?? 0, allowed) }
}

type Section = Pick<CutChunk, 'startMs' | 'endMs'>

/** True where a section has narration of a chunk. */
export function isIn(section: Section, chunk: Section): boolean {
  return chunk.startMs < section.endMs && chunk.endMs > section.startMs
}

export function planSections(endMs: number, lengthsS: Allowed['sectionsS']): Section[] {
  const sections: Section[] = []
  for (let startMs = 0; startMs < endMs; ) {
    const lengthMs = (lengthsS[sections.length] ?? lengthsS.at(-1) ?? 0) * 1_000
    sections.push({ startMs, endMs: Math.min(endMs, startMs + lengthMs) })
    startMs += lengthMs
  }
  return sections
}

/** List scheduling: the call that can begin first takes the line that is free first. @returns when each call ends */
function schedule(calls: { fromMs: number; callMs: number }[], lines: number): number[] {
  const freeAt = Array.from({ length: lines }, () => 0)
  const endsAt = calls.map(() => 0)
  const order = calls.map((call, at) => ({ ...call, at })).toSorted((a, b) => a.fromMs - b.fromMs)
  for (const { fromMs, callMs, at } of order) {
    const line = freeAt.indexOf(Math.min(...freeAt))
    const ends = Math.max(freeAt[line] ?? 0, fromMs) + callMs
    freeAt[line] = ends
    endsAt[at] = ends
  }
  return endsAt
}

/** Chunks and windows as tutorials for these models make them. */
const SERIAL_CHUNK_MS = 60_000
const SERIAL_WINDOW_MS = 600_000
/** Extract, transcribe, write, store: each waits for a queue as the platform makes it, ten messages or five seconds. */
const SERIAL_QUEUES_MS = 4 * 5_000

/**
 * How long the same steps with the same models take at least, before they are outlined, built the way such a pipeline
 * usually is: one message leads a video from stage to stage, each stage does its work one call after the other, and the
 * queues are as they come.
 * @param cutMs what reading and cutting the audio takes
 */
export function serialWrittenMs(
  profile: Profile,
  { durationMs, cutMs }: { durationMs: number; cutMs: number },
): number {
  const lengths = (eachMs: number) =>
    Array.from({ length: Math.ceil(durationMs / eachMs) }, (_, at) => Math.min(eachMs, durationMs - at * eachMs))
  const speechMs = lengths(SERIAL_CHUNK_MS).map((ms) => speechCallMs(profile, ms))
  const languageMs = lengths(SERIAL_WINDOW_MS).map((ms) => languageCallMs(profile, ms))
  return [SERIAL_QUEUES_MS, cutMs, ...speechMs, ...languageMs].reduce((sum, ms) => sum + ms, 0)
}

/** The profile whose promises count; of the others they are only shown. */
export function decidingProfile(profiles: readonly ProfileName[]): ProfileName | undefined {
  return profiles.includes('mid') ? 'mid' : profiles[0]
}
