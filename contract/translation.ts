import { z } from 'zod'
import {
  MODULE_TITLE_MAX_CHARS,
  QUESTION_MAX_CHARS,
  SEGMENT_MAX_CHARS,
  STEP_HARD_LIMITS,
  TRAINER_ANSWER_MAX_CHARS,
} from './limits.ts'
import { FailureCode, Language } from './module.ts'
import { Success } from './problem.ts'

/** What a check compares part by part. */
export const COMPARED_KINDS = ['number', 'unit', 'placeholder', 'key', 'term'] as const
/** What a check says of a translation as a whole. */
export const JUDGED_KINDS = ['not_lost', 'not_added', 'too_long', 'empty', 'untranslated', 'shorter', 'longer'] as const

/** One thing that a check found: what is missing from a translation and what only it has, or how it is as a whole. */
export const Complaint = z.union([
  z.object({ kind: z.enum(COMPARED_KINDS), lost: z.array(z.string()), added: z.array(z.string()) }),
  z.object({ kind: z.enum(JUDGED_KINDS) }),
])
export type Complaint = z.infer<typeof Complaint>

/** Why no language can be switched on: there is no engine, the training is not ready, … */
export const NO_LANGUAGE_CODES = ['no_engine', 'not_ready', 'language_unknown', 'not_from_here', 'engine_away'] as const

/** A reason: its code, for programs and for pages in another language, and a sentence in English. */
function makeReason<Code extends string>(codes: readonly Code[]) {
  return z.object({ code: z.enum(codes), detail: z.string() })
}

/**
 * `good`: a model wrote it and the check found nothing. `rough`: the same of an engine that translates by rules, word by
 * word, whose sentences may be wrong in ways that no check finds. `kept_back`: the check found something, and learners read the
 * original. `approved`: a person has read it.
 */
export const TranslationState = z.enum(['good', 'rough', 'kept_back', 'approved'])
export type TranslationState = z.infer<typeof TranslationState>

/** One part of a training with its translation: its title, its chapters, a step, an answer, or some lines of the captions. */
export const TranslatedItem = z.object({
  /** `title`, `chapters`, `step:<id>`, `answer:<id>` or `captions:<id of the first line>`. */
  item: z.string(),
  /** Of a step: its title, its description, then its callouts. Of an answer: the question, then the answer. */
  source: z.array(z.string()),
  /** Names these texts; an edit that sends it back is refused once they have changed. */
  sourceHash: z.string(),
  /** As many texts as `source`; null while nothing is translated, or where the source has changed since. */
  texts: z.array(z.string()).nullable(),
  state: TranslationState.nullable(),
  complaints: z.array(Complaint),
  /** Whether a person wrote these texts. */
  isByPerson: z.boolean(),
  /** What a person had written before the source changed; null where nothing is to be compared. */
  earlier: z.array(z.string()).nullable(),
})
export type TranslatedItem = z.infer<typeof TranslatedItem>

/** How far a training is translated into one language, or what it would cost. */
export const LanguageStatus = z.object({
  tag: Language,
  isOn: z.boolean(),
  /** Whether there are rules that compare a translation into it with its source. */
  isChecked: z.boolean(),
  /** About what translating what is missing costs, US dollars by list price; 0 where the engine costs nothing. */
  usd: z.number(),
  /** Parts of the training, and how many of them learners read in this language. */
  total: z.number().int(),
  done: z.number().int(),
  keptBack: z.number().int(),
  /** Parts whose source has changed after a person had corrected their translation. */
  changed: z.number().int(),
  /** Whether a person has approved all of it. */
  isApproved: z.boolean(),
  isInProgress: z.boolean(),
  /** Why the last attempt failed; null where it went well. */
  failure: makeReason(FailureCode.options).nullable(),
})
export type LanguageStatus = z.infer<typeof LanguageStatus>

/** Answer of `GET /api/modules/{id}/languages`. */
export const LanguagesAnswer = Success.extend({
  /** Of the training itself; null where it is not known. */
  original: z.string().nullable(),
  /** Name of the engine that translates; null where there is none. */
  engine: z.string().nullable(),
  languages: z.array(LanguageStatus),
  /** Null where a language can be switched on. */
  whyNone: makeReason(NO_LANGUAGE_CODES).nullable(),
})
export type LanguagesAnswer = z.infer<typeof LanguagesAnswer>

/** Answer of `GET /api/modules/{id}/translations/{lang}`. */
export const TranslationAnswer = Success.extend({ items: z.array(TranslatedItem) })
export type TranslationAnswer = z.infer<typeof TranslationAnswer>

/** How long a text of a part may be: no longer than what it translates. @param index its place among the part's texts */
export function maxCharsOf(item: string, index: number): number {
  if (item === 'title') return MODULE_TITLE_MAX_CHARS
  if (item === 'chapters') return STEP_HARD_LIMITS.titleMaxChars
  if (item.startsWith('captions:')) return SEGMENT_MAX_CHARS
  if (item.startsWith('answer:')) return index === 0 ? QUESTION_MAX_CHARS : TRAINER_ANSWER_MAX_CHARS
  return (
    [STEP_HARD_LIMITS.titleMaxChars, STEP_HARD_LIMITS.descriptionMaxChars][index] ?? STEP_HARD_LIMITS.calloutMaxChars
  )
}

/** Of the source that the person has read. */
const SourceHash = z.string().max(64).optional()

/**
 * Body of `PUT /api/modules/{id}/translations/{lang}`: a person's texts of one part, as many as its source has, or the
 * approval of a part, or of all that learners read.
 */
export const TranslationEdit = z.union([
  z
    .strictObject({
      item: z.string().min(1).max(100),
      sourceHash: SourceHash,
      texts: z.array(z.string().trim().max(SEGMENT_MAX_CHARS)).min(1).max(200),
    })
    .superRefine(({ item, texts }, context) => {
      const index = texts.findIndex((text, position) => text.length > maxCharsOf(item, position))
      if (index === -1) return
      const message = `must have at most ${maxCharsOf(item, index)} characters`
      context.addIssue({ code: 'custom', path: ['texts', index], message })
    }),
  z.strictObject({ item: z.string().min(1).max(100), sourceHash: SourceHash, isApproved: z.literal(true) }),
  z.strictObject({ isApproved: z.literal(true) }),
])
export type TranslationEdit = z.infer<typeof TranslationEdit>
