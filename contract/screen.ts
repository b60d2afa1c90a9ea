import { z } from 'zod'

/** What a text on the screen is: typed behind a prompt, the name of a control, source code, or anything else. */
export const SCREEN_KINDS = ['command', 'label', 'code', 'other'] as const
/** Names one of {@link SCREEN_KINDS}. */
export type ScreenKind = (typeof SCREEN_KINDS)[number]

/** Longer lines are cut: no line of a screen has so many characters. */
export const SCREEN_TEXT_MAX = 500
/** Blocks of a reading; hours of scrolling text have more, and keep the first. */
export const SCREEN_BLOCKS_MAX = 4_000
/** A reading is one object of at most so many bytes. */
export const SCREEN_READING_MAX_BYTES = 500_000

const Share = z.number().min(0).max(1)

/** A line of text that a video shows for a while. */
export const ScreenBlock = z
  .object({
    text: z.string().min(1).max(SCREEN_TEXT_MAX),
    startMs: z.int().nonnegative(),
    endMs: z.int().nonnegative(),
    /** Where it is in the picture, as shares of its width and height from the top left. */
    box: z.object({ x: Share, y: Share, width: Share, height: Share }),
    kind: z.enum(SCREEN_KINDS),
    /** How sure the reader is, 0 to 1. */
    confidence: Share,
  })
  .refine(({ startMs, endMs }) => endMs >= startMs, 'endMs is before startMs')
/** A line of text that a video shows for a while. */
export type ScreenBlock = z.infer<typeof ScreenBlock>

/** What was read from the screen of one video, in order of time. */
export const ScreenReading = z.object({
  /** Up to when the video was read; less than its length where the time for it ran out. */
  readMs: z.int().nonnegative(),
  /** When something that looks like a secret or personal data is visible; it is not among the blocks. */
  secrets: z.array(z.object({ startMs: z.int().nonnegative(), endMs: z.int().nonnegative(), kind: z.string().max(20) })).max(200),
  blocks: z.array(ScreenBlock).max(SCREEN_BLOCKS_MAX),
})
/** What was read from the screen of one video, in order of time. */
export type ScreenReading = z.infer<typeof ScreenReading>
