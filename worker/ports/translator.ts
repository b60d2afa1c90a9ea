import type { LanguageTag } from '#contract/languages.ts'
import type { Complaint } from '#contract/translation.ts'
import type { CallMeter } from './language-model.ts'

/** Texts of a training that are translated together. */
export interface TranslateTask {
  /** Primary tag of the language that they are in. */
  from: string
  to: LanguageTag
  moduleTitle: string
  texts: readonly string[]
  /** Words that are translated in one way, or stay as they are. */
  terms: readonly { word: string; text: string }[]
  /** What a check found in an earlier answer to the same task, by the place of its text; empty at first. */
  complaints: readonly { index: number; answer: string; found: readonly Complaint[] }[]
}

/** Translates texts. */
export interface Translator {
  /** Engine and model, for logs, and for learners to read who translated. */
  readonly name: string
  /** Whether each call costs its token price. */
  readonly isPaid: boolean
  /** Whether its sentences are rough, also where the check finds nothing. */
  readonly isRough: boolean
  /**
   * Lists into which languages it translates from one; none where it cannot.
   * @throws {AppError} `ai_busy`, `ai_timeout`, `ai_failed`
   */
  listTargets(from: string, signal: AbortSignal): Promise<readonly LanguageTag[]>
  /**
   * Translates texts, in their order. The answers may be wrong in every way; `checkTranslation` compares each with its
   * source before a learner reads it.
   * @throws {AppError} `ai_busy`, `ai_quota`, `ai_timeout`, `ai_failed`, also where there are not as many answers
   */
  translate(task: TranslateTask, signal: AbortSignal, meter?: CallMeter): Promise<string[]>
}
