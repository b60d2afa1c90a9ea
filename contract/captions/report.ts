import { z } from 'zod'
import { CAPTION_ENCODINGS } from './encodings.ts'

/** What the reader of a caption file did at a line, or left out there. */
export const CAPTION_REPAIRS = [
  /** A byte that is no UTF-8 was guessed. */
  'bad_byte',
  /** A sign that stands for nothing was left out. */
  'bad_sign',
  /** The arrow or the times are written in another way than the format asks for. */
  'odd_time',
  /** Frames were taken at a guessed rate. */
  'frame_rate',
  /** A time that cannot be read was guessed from its neighbours. */
  'time_guessed',
  /** The cue has no end, or ends at or before its start: it lasts until the next one. */
  'end_guessed',
  /** The cue begins before the video, and was moved to its beginning. */
  'before_start',
  /** The cue begins before the one above it, and was sorted. */
  'out_of_order',
  /** Text that belongs to no cue was left out. */
  'left_out',
  /** Text that was shown again was left out. */
  'shown_again',
  /** Several sentences with one time were shared out over it. */
  'shared_out',
] as const
/** One of {@link CAPTION_REPAIRS}. */
export type CaptionRepairCode = (typeof CAPTION_REPAIRS)[number]

/** One repair or loss; lines are counted from 1. */
export const CaptionRepair = z.object({ line: z.number().int().min(1), code: z.enum(CAPTION_REPAIRS) })
export type CaptionRepair = z.infer<typeof CaptionRepair>

/** Repairs that are named one by one; of more only the number is said. */
export const CAPTION_REPAIRS_NAMED_MAX = 200

/** How many lines of a caption file are shown before it is used. */
export const CAPTION_LINES_SHOWN = 5
/** Readings are shown of so many encodings; a person can choose any other. */
export const CAPTION_READINGS_MAX = 4

/** The first lines of a caption file, as they would be read. */
export const CaptionReading = z.object({
  encoding: z.enum(CAPTION_ENCODINGS),
  lines: z.array(z.string()),
})
export type CaptionReading = z.infer<typeof CaptionReading>

/** A move of captions in time: how many seconds later the first and the last of them come; negative for earlier. */
export const CaptionShift = z.object({
  /** `after_end`: all begin after the end of the video. `speech`: their words are spoken at another time. */
  reason: z.enum(['after_end', 'speech']),
  first: z.number(),
  last: z.number(),
  /** Whether it is done. One that `speech` asks for is only offered. */
  isMoved: z.boolean(),
})
export type CaptionShift = z.infer<typeof CaptionShift>

/** Why captions may be of another video. */
export const CaptionDoubt = z.object({
  /** Most begin after its end, or they last far longer or shorter than the video or its speech. */
  code: z.enum(['beyond_end', 'longer', 'shorter', 'shorter_than_speech']),
  /** How long the captions last. */
  captionsSeconds: z.number().int(),
  /** How long the video lasts, or its speech. */
  videoSeconds: z.number().int(),
})
export type CaptionDoubt = z.infer<typeof CaptionDoubt>
