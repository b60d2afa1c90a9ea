import { z } from 'zod'

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
