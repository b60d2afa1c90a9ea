import { z } from 'zod'
import { STEP_HARD_LIMITS } from './limits.ts'
import { Success } from './problem.ts'
import { VideoId } from './small-copy.ts'

/** What a text on the screen is: typed behind a prompt, the name of a control, source code, or anything else. */
export const SCREEN_KINDS = ['command', 'label', 'code', 'other'] as const
/** Names one of {@link SCREEN_KINDS}. */
export type ScreenKind = (typeof SCREEN_KINDS)[number]

/** Longer lines are cut: no line of a screen has so many characters. */
export const SCREEN_TEXT_MAX = STEP_HARD_LIMITS.commandMaxChars
/** Blocks of a reading; hours of scrolling text have more, and keep the first. */
export const SCREEN_BLOCKS_MAX = 4_000
/** A reading is one object of at most so many bytes. */
export const SCREEN_READING_MAX_BYTES = 500_000

const Share = z.number().min(0).max(1)

/** A rectangle of the picture, as shares of its width and height from the top left. */
export const ScreenArea = z.strictObject({ x: Share, y: Share, width: Share, height: Share })
/** A rectangle of the picture, as shares of its width and height from the top left. */
export type ScreenArea = z.infer<typeof ScreenArea>

/** A line of text that a video shows for a while. */
export const ScreenBlock = z
  .strictObject({
    text: z.string().min(1).max(SCREEN_TEXT_MAX),
    startMs: z.int().nonnegative(),
    endMs: z.int().nonnegative(),
    /** Where it is in the picture. */
    box: z.object(ScreenArea.shape),
    kind: z.enum(SCREEN_KINDS),
    /** How sure the reader is, 0 to 1. */
    confidence: Share,
  })
  .refine(({ startMs, endMs }) => endMs >= startMs, 'endMs is before startMs')
/** A line of text that a video shows for a while. */
export type ScreenBlock = z.infer<typeof ScreenBlock>

/** What is not stored of a screen. */
export const SECRET_KINDS = ['password', 'key', 'token', 'card', 'email'] as const
/** Names one of {@link SECRET_KINDS}. */
export type SecretKind = (typeof SECRET_KINDS)[number]
/** More of them are of one kind. */
export const SCREEN_SECRETS_MAX = 200

/** When a video shows something that should stay private. */
export const VisibleSecret = z.strictObject({
  startMs: z.int().nonnegative(),
  endMs: z.int().nonnegative(),
  kind: z.enum(SECRET_KINDS),
})
/** When a video shows something that should stay private. */
export type VisibleSecret = z.infer<typeof VisibleSecret>

/** What was read from the screen of one video, in order of time. */
export const ScreenReading = z.strictObject({
  /** Up to when the video was read; less than its length where the time for it ran out. */
  readMs: z.int().nonnegative(),
  /** Whether reading has ended; otherwise it goes on at `readMs`. */
  isDone: z.boolean(),
  /** When something that looks like a secret or personal data is visible; it is not among the blocks. */
  secrets: z.array(VisibleSecret).max(SCREEN_SECRETS_MAX),
  blocks: z.array(ScreenBlock).max(SCREEN_BLOCKS_MAX),
})
/** What was read from the screen of one video, in order of time. */
export type ScreenReading = z.infer<typeof ScreenReading>

/** Body of `PUT /api/modules/{id}/screen`: all that was read so far of a video. */
export const ScreenReadingSent = ScreenReading.extend({ videoId: VideoId })

/** Corrections of one training; nobody makes as many by hand. */
export const SCREEN_CORRECTIONS_MAX = 1_000

/**
 * Body of `PUT /api/modules/{id}/screen/corrections`: what an owner made of a text of the screen. It counts for each
 * later reading that has the same text at the same time; one that changes nothing is forgotten.
 */
export const ScreenCorrection = z
  .strictObject({
    /** What was read. */
    readText: z.string().min(1).max(SCREEN_TEXT_MAX),
    startMs: z.int().nonnegative(),
    endMs: z.int().nonnegative(),
    /** What it says; null for what was read. */
    text: z.string().trim().min(1).max(SCREEN_TEXT_MAX).nullable(),
    /** What it is; null for what it was taken for. */
    kind: z.enum(SCREEN_KINDS).nullable(),
    /** Whether it counts for nobody. */
    isHidden: z.boolean(),
  })
  .refine(({ startMs, endMs }) => endMs >= startMs, 'endMs is before startMs')
/** What an owner made of a text of the screen. */
export type ScreenCorrection = z.infer<typeof ScreenCorrection>

/** Answer of `GET /api/modules/{id}/screen`, for owners. */
export const ScreenAnswer = Success.extend({
  /** Whether it is to be read: its owner's choice, and otherwise that of its organization. */
  readsScreen: z.boolean(),
  /** What its organization has chosen for all of its modules, and whether the caller may; null where there is none. */
  organization: z.object({ readsScreen: z.boolean(), mayChange: z.boolean() }).nullable().default(null),
  /** The part of the picture whose text is left out, from the beginning to the end; null for none. */
  ignoredArea: ScreenArea.nullable(),
  /** Which video there is to read. */
  videoId: z.string(),
  /** As it was read; null until something was. */
  reading: ScreenReading.nullable(),
  /** What owners made of it, the newest first. */
  corrections: z.array(ScreenCorrection),
})
/** Answer of `GET /api/modules/{id}/screen`. */
export type ScreenAnswer = z.infer<typeof ScreenAnswer>
