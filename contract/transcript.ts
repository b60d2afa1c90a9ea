import { z } from 'zod'
import { CAPTION_ENCODINGS } from './captions/encodings.ts'
import { CaptionDoubt, CaptionReading, CaptionRepair, CaptionShift } from './captions/report.ts'
import { CORRECTIONS_MAX, GLOSSARY_WORD_MAX_CHARS, GLOSSARY_WORDS_MAX, SEGMENT_MAX_CHARS } from './limits.ts'
import { Success } from './problem.ts'

/** A longer name of a speaker is text. */
export const SPEAKER_MAX_CHARS = 40

/** A sentence-like section of the transcript. Times in seconds from the beginning of the video. */
export const TranscriptSegment = z.object({
  id: z.string(),
  start: z.number(),
  end: z.number(),
  text: z.string(),
  /** Who says it, where captions name a speaker; no part of the text. */
  speaker: z.string().min(1).max(SPEAKER_MAX_CHARS).optional(),
  /** Mean word confidence 0–1; null for captions and for recognisers that report none. */
  confidence: z.number().nullable(),
  /** Whether a person has corrected the transcribed text. */
  isEdited: z.boolean().default(false),
  /** What was transcribed, where names on the screen have repaired it. Owners only. */
  beforeScreen: z.string().optional(),
})
export type TranscriptSegment = z.infer<typeof TranscriptSegment>

/** A correction that fits no segment after a new transcription, because its words differ there. Times in seconds. */
export const OrphanedCorrection = z.object({
  id: z.string(),
  start: z.number(),
  end: z.number(),
  /** The transcribed text before the correction. */
  transcribed: z.string(),
  /** What a person had made of it. */
  text: z.string(),
})
export type OrphanedCorrection = z.infer<typeof OrphanedCorrection>

/** A part of a video. Times in seconds from its beginning. */
export const VideoPart = z.object({ start: z.number(), end: z.number() })
export type VideoPart = z.infer<typeof VideoPart>

/** Answer of `GET /api/transcript/{moduleId}`. `source` is null until the first segment is there. */
export const TranscriptAnswer = Success.extend({
  source: z.enum(['captions', 'speech']).nullable(),
  language: z.string().nullable(),
  segments: z.array(TranscriptSegment),
  /** Whether the recogniser was unsure of so many words that readers should know. */
  isRough: z.boolean().default(false),
  /**
   * Parts of a minute or more, in a short video of a quarter of it (20 s at least), in which no speech was understood, in
   * order; no run writes steps of them. Empty with captions, and while the module is not READY.
   */
  withoutSpeech: z.array(VideoPart).default([]),
  /** Owners only, otherwise empty. */
  orphaned: z.array(OrphanedCorrection).default([]),
})
export type TranscriptAnswer = z.infer<typeof TranscriptAnswer>

const correctedText = z
  .string()
  .transform((text) => text.replace(/\s+/g, ' ').trim())
  .pipe(z.string().min(1, 'must not be empty').max(SEGMENT_MAX_CHARS))

/** Words that the recogniser should know in the next transcription. */
const glossary = z.array(z.string().trim().min(1).max(GLOSSARY_WORD_MAX_CHARS)).max(GLOSSARY_WORDS_MAX).default([])

/** Names a line of a transcript. */
export const SegmentId = z.string().min(1).max(64)

/** Body of `PATCH /api/transcript/{moduleId}/{segmentId}`. Owners only, and not while the module is processed. */
export const CorrectSegment = z.strictObject({
  text: correctedText,
  /** The text that the correction was based on; a line that has another one by now is not changed. */
  was: z.string().optional(),
  glossary,
})
export type CorrectSegment = z.infer<typeof CorrectSegment>

/** Body of `PATCH /api/transcript/{moduleId}`: several lines and words for the glossary, all of it or nothing. */
export const CorrectTranscript = z.strictObject({
  edits: z.array(CorrectSegment.omit({ glossary: true }).extend({ id: SegmentId })).max(CORRECTIONS_MAX),
  glossary,
})
export type CorrectTranscript = z.infer<typeof CorrectTranscript>

/** Answer of both. */
export const CorrectionAnswer = Success.extend({
  /** The lines that were named, as they are now. */
  segments: z.array(TranscriptSegment),
  /** Whether the glossary has all the words that were to be added; false when there is no room for them. */
  isInGlossary: z.boolean(),
})
export type CorrectionAnswer = z.infer<typeof CorrectionAnswer>

/** How the name of a caption file of each type ends. The type is only a hint: the content decides what it is read as. */
export const CAPTION_ENDINGS = {
  'text/vtt': ['.vtt'],
  'application/x-subrip': ['.srt'],
  'application/ttml+xml': ['.ttml', '.dfxp', '.itt'],
  'application/xml': ['.xml', '.srv1', '.srv2', '.srv3'],
  'application/x-sami': ['.smi', '.sami'],
  'text/x-ssa': ['.ass', '.ssa'],
  'text/x-microdvd': ['.sub'],
  'text/x-mpl2': ['.mpl'],
  'text/plain': ['.sbv', '.lrc', '.txt'],
  'text/tab-separated-values': ['.tsv'],
  'text/csv': ['.csv'],
  'application/json': ['.json', '.json3'],
} as const satisfies Record<string, readonly `.${string}`[]>
/** The content type by which the app sends a caption file. */
export type CaptionType = keyof typeof CAPTION_ENDINGS
const isCaptionType = (type: string): type is CaptionType => Object.hasOwn(CAPTION_ENDINGS, type)
/** All of them. */
export const CAPTION_TYPES = Object.keys(CAPTION_ENDINGS).filter(isCaptionType)
/** What `PUT` and `POST /api/captions` take: other tools have other names for the same, or none. */
export const SENT_CAPTION_TYPES = [
  ...CAPTION_TYPES,
  'text/srt',
  'application/srt',
  'text/xml',
  'text/x-subviewer',
  'application/smil',
  'application/octet-stream',
] as const

/** Names a language by its primary tag of BCP 47. */
const primaryTag = z.string().regex(/^[a-z]{2,3}$/)

/**
 * Query of `PUT /api/captions/{moduleId}`: how the bytes are to be read, which language of a file with two is the
 * transcript, and whether the captions are moved in time. Left out, the first is found out, the second is that of the
 * module, or else the first in the file, and only captions that begin after the end of the video are moved into it.
 */
export const CaptionsQuery = z.object({
  charset: z.enum(CAPTION_ENCODINGS).optional(),
  language: primaryTag.optional(),
  times: z.enum(['file', 'moved']).optional(),
})
export type CaptionsQuery = z.infer<typeof CaptionsQuery>

/** Query of `POST /api/captions`: as {@link CaptionsQuery}, with how long the video lasts, where that is known. */
export const CaptionPreviewQuery = CaptionsQuery.extend({
  durationMs: z.coerce.number().int().positive().optional(),
})

/** One of the languages of a caption file that has two. */
export const CaptionLanguage = z.object({
  language: primaryTag,
  cues: z.number().int(),
  /** What its first cues say. */
  firstLines: z.array(z.string()),
})
export type CaptionLanguage = z.infer<typeof CaptionLanguage>

/**
 * Answer of `PUT /api/captions/{moduleId}`, and of `POST`, which stores nothing: what would become of the file. Without
 * the id of a module nothing is known of its speech.
 */
export const CaptionsAnswer = Success.extend({
  cues: z.number().int(),
  /** How the bytes were read. */
  encoding: z.enum(CAPTION_ENCODINGS).default('utf-8'),
  /** How they may have been meant nearly as well, the likeliest first. */
  alternatives: z.array(z.enum(CAPTION_ENCODINGS)).default([]),
  /** What was repaired or left out, by line; the first of many. */
  repairs: z.array(CaptionRepair).default([]),
  /** How many that are in all. */
  repairCount: z.number().int().default(0),
  /** Both languages of a file that says everything in two, as they stand in it; otherwise empty. */
  languages: z.array(CaptionLanguage).default([]),
  /**
   * Which of them became the transcript; the other is left out. Of a file in one language only where that is clearly not
   * the one that is spoken; otherwise null.
   */
  language: primaryTag.nullable().default(null),
  /** The language that is spoken in the video, where the captions are in another; otherwise null. */
  spoken: primaryTag.nullable().default(null),
  /** What the first captions say; of one that is not UTF-8 those that show it. */
  firstLines: z.array(z.string()).default([]),
  /** Where `alternatives` has some, the first captions that they read in another way: in each, that of `encoding` first. */
  readings: z.array(CaptionReading).default([]),
  /** How the captions were moved in time, or could be; null where they come in time. */
  shift: CaptionShift.nullable().default(null),
  /** Why they may be of another video; null where nothing says so. */
  doubt: CaptionDoubt.nullable().default(null),
})
export type CaptionsAnswer = z.infer<typeof CaptionsAnswer>
