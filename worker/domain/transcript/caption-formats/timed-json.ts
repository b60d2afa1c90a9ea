import { z } from 'zod'
import { CAPTION_CUES_MAX } from '#contract/limits.ts'
import type { CaptionFile, RawCue } from './raw-cue.ts'
import { listSpokenSentences } from './words-json.ts'

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
/** What Deepgram answers. */
const DeepgramUtterance = z
  .object({ start: seconds, end: seconds, transcript: z.string(), speaker })
  .transform(({ start, end, transcript, speaker: by }) => ({
    startMs: start,
    endMs: end,
    text: transcript,
    speaker: by,
  }))
const SECOND_MS = 1_000
/** What AssemblyAI answers, in milliseconds. */
const MsUtterance = WhisperSegment.transform(({ startMs, endMs, ...rest }) => {
  return { ...rest, startMs: startMs / SECOND_MS, endMs: endMs === null ? null : endMs / SECOND_MS }
})
const Segment = z.union([WhisperSegment, CppSegment, HuggingFaceChunk, YouTubeEvent, DeepgramUtterance])
/** Where the list of segments stands. */
const PLACES = ['segments', 'transcription', 'events', 'chunks'] as const

/** Whether a file may be JSON. */
export function isTimedJson({ text }: CaptionFile): boolean {
  return /^\s*(?:\{\s*"|\[\s*\{)/.test(text)
}

interface Found {
  list: readonly unknown[]
  item: z.ZodType<Omit<RawCue, 'lineIndex' | 'lines'> & { text: string }>
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function findList(value: unknown): Found {
  if (Array.isArray(value)) return { list: value, item: Segment }
  if (!isObject(value)) return { list: [], item: Segment }
  const list = PLACES.map((place) => value[place]).find(Array.isArray)
  if (list !== undefined) return { list, item: Segment }
  if (Array.isArray(value['utterances'])) return { list: value['utterances'], item: MsUtterance }
  const words = listSpokenSentences(value)
  if (words !== null) return { list: words, item: Segment }
  return isObject(value['results'])
    ? findList({ segments: value['results']['utterances'] })
    : { list: [], item: Segment }
}

/** Reads the segments of a transcript in JSON, counted like lines; a list of anything else is no captions. */
export function readTimedJson({ text, log }: CaptionFile): RawCue[] {
  let found: Found
  try {
    found = findList(JSON.parse(text))
  } catch {
    // Cut off or no JSON: refused as a file without captions.
    return []
  }
  const cues: RawCue[] = []
  for (const [lineIndex, item] of found.list.entries()) {
    const parsed = found.item.safeParse(item)
    if (parsed.success) {
      const { text: said, ...rest } = parsed.data
      cues.push({ lineIndex, ...rest, lines: said.split('\n') })
      continue
    }
    log.note(lineIndex, 'left_out')
    // A list of something else: half a million numbers would take ten seconds.
    if (lineIndex - cues.length >= CAPTION_CUES_MAX) return []
  }
  return cues
}
