import { z } from 'zod'
import type { CaptionFile, RawCue } from './raw-cue.ts'

/** Left out where it names nobody: some tools count speakers, or say null. */
const speaker = z
  .union([z.string(), z.number().transform((number) => `Speaker ${number}`)])
  .optional()
  .catch(undefined)
const seconds = z.coerce.number().transform((value) => Math.round(value * 1000))
/** What OpenAI's Whisper and the tools around it write. */
const WhisperSegment = z
  .object({ start: seconds, end: seconds.nullish(), text: z.string(), speaker })
  .transform(({ start, end, text, speaker: by }) => ({ startMs: start, endMs: end ?? null, text, speaker: by }))
/** What whisper.cpp writes. */
const CppSegment = z
  .object({ offsets: z.object({ from: z.number(), to: z.number() }), text: z.string() })
  .transform(({ offsets, text }) => ({ startMs: offsets.from, endMs: offsets.to, text }))
/** What the pipelines of Hugging Face return; the last one may have no end. */
const HuggingFaceChunk = z
  .object({ timestamp: z.tuple([seconds, seconds.nullable()]), text: z.string() })
  .transform(({ timestamp: [startMs, endMs], text }) => ({ startMs, endMs, text }))
/** What YouTube answers as `json3`. */
const YouTubeEvent = z
  .object({
    tStartMs: z.number(),
    dDurationMs: z.number().default(0),
    segs: z.array(z.object({ utf8: z.string() })),
  })
  .transform(({ tStartMs, dDurationMs, segs }) => ({
    startMs: tStartMs,
    endMs: tStartMs + dDurationMs,
    text: segs.map(({ utf8 }) => utf8).join(''),
  }))
const Segment = z.union([WhisperSegment, CppSegment, HuggingFaceChunk, YouTubeEvent])
/** Where the list of segments stands. */
const PLACES = ['segments', 'transcription', 'events', 'chunks'] as const

/** Whether a file may be JSON. */
export function isTimedJson({ text }: CaptionFile): boolean {
  return /^\s*(?:\{\s*"|\[\s*\{)/.test(text)
}

function findList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null) return []
  const list = PLACES.map((place) => Reflect.get(value, place) as unknown).find(Array.isArray)
  return list ?? []
}

/** Reads the segments of a transcript in JSON, counted like lines; a list of anything else is no captions. */
export function readTimedJson({ text, log }: CaptionFile): RawCue[] {
  let list: unknown[] = []
  try {
    list = findList(JSON.parse(text))
  } catch {
    // Cut off or no JSON: refused as a file without captions.
    return []
  }
  return list.flatMap((item, lineIndex) => {
    const parsed = Segment.safeParse(item)
    if (!parsed.success) {
      log.note(lineIndex, 'left_out')
      return []
    }
    const { text: said, ...rest } = parsed.data
    return [{ lineIndex, ...rest, lines: said.split('\n') }]
  })
}
