import type { QuotaHolder } from '#contract/problem.ts'
import { estimateTokens } from '#worker/domain/prompt-data.ts'
import { AppError } from '#worker/errors.ts'
import type { Caller } from '#worker/ports/identity.ts'
import type {
  MayRepair,
  OutlineTask,
  StepWindow,
  StepWriter,
  TextRewriter,
  TutorModel,
  TutorTask,
} from '#worker/ports/language-model.ts'
import type { SpeechToText } from '#worker/ports/speech-to-text.ts'
import type { TranslateTask, Translator } from '#worker/ports/translator.ts'
import { AI_PRICES, ANSWER_TOKENS, JUDGE_TOKENS_OUT, SECTION_TOKENS, type Tokens, usdOfTokens } from './prices.ts'
import { pay, refundUse } from './quota-store.ts'
import {
  type CountedModule,
  dayOf,
  findOver,
  findReached,
  isLimited,
  type Limits,
  type QuotaContext,
  quotaReached,
  sayReached,
  UNITS,
} from './take-quota.ts'

/** A text that is rewritten comes back as long as it was, after these instructions. */
const REWRITE_PROMPT_TOKENS = 300
/** Steps are written in the language of the narration, whose script may take a token per character, in about half its length. */
const STEPS_SHARE = 0.5

/** The most that steps of a section and an outline may have (`WRITE_STEPS_MAX_TOKENS`, `OUTLINE_MAX_TOKENS`). */
const STEPS_MAX_TOKENS = 2_048
/** The instructions of a section, and those of an outline. */
const SECTION_PROMPT_TOKENS = 1_000
const OUTLINE_PROMPT_TOKENS = 1_100
/** What the prompt shows of the narration and the titles before a section. */
const SHOWN = { before: 8, titles: 40 }
/** The most that an outline shows of a video; its lines are cut short for it (`OUTLINE_STEPS_MAX_TOKENS`). */
const OUTLINED_MAX_TOKENS = 18_000
/** The number and the time of a line in an outline, or the number and the names of an entry. */
const LINE_TOKENS = 14

/** Estimates the cost of transcription, US dollars. */
export function usdOfAudio(durationMs: number): number {
  return (durationMs / 60_000) * AI_PRICES.perMinute
}

/** About what writing the steps of one section costs whose narration is not known any more, US dollars. */
export const USD_PER_SECTION = usdOfTokens(SECTION_TOKENS)

function countAll(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0)
}

function tokensOfSection({ segments, before, titles = [] }: StepWindow): Tokens {
  const narration = countAll(segments.map(({ text }) => text))
  const shown = [...before.slice(-SHOWN.before).map(({ text }) => text), ...titles.slice(-SHOWN.titles)]
  return {
    in: Math.max(SECTION_TOKENS.in, SECTION_PROMPT_TOKENS + narration + countAll(shown)),
    out: Math.min(STEPS_MAX_TOKENS, Math.max(SECTION_TOKENS.out, Math.ceil(narration * STEPS_SHARE))),
  }
}

/** As many entries as there are steps, each with a title as long as theirs, and a chapter with another. */
function tokensOfOutline({ steps, hasChapters }: OutlineTask): Tokens {
  const titles = steps.length * LINE_TOKENS + countAll(steps.map(({ title }) => title))
  const lines = steps.flatMap((step) => step.lines)
  const narration = lines.length * LINE_TOKENS + countAll(lines.map(({ text }) => text))
  return {
    in: OUTLINE_PROMPT_TOKENS + Math.min(OUTLINED_MAX_TOKENS, titles + narration),
    out: Math.min(STEPS_MAX_TOKENS, hasChapters ? 2 * titles : titles),
  }
}

/** About what one answer of the tutor costs whose prompt is not known any more, US dollars. */
export const USD_PER_ANSWER = usdOfTokens(ANSWER_TOKENS)

function usdOfPrompt({ messages }: TutorTask, tokensOut: number): number {
  return usdOfTokens({ in: countAll(messages.map(({ content }) => content)), out: tokensOut })
}

/** About what one answer of the tutor costs, US dollars. */
export function usdOfAnswer(task: TutorTask): number {
  return usdOfPrompt(task, ANSWER_TOKENS.out)
}

/** What the call that judges an answer costs at most, US dollars. */
export function usdOfJudgement(task: TutorTask): number {
  return usdOfPrompt(task, JUDGE_TOKENS_OUT)
}

/** About what rewriting a text costs, US dollars. */
function usdOfRewrite(text: string): number {
  const tokens = estimateTokens(text)
  return usdOfTokens({ in: REWRITE_PROMPT_TOKENS + tokens, out: tokens })
}

/** Failures of a model that has done nothing. One that took too long, or broke off, is paid for. */
const UNPAID: readonly string[] = ['ai_busy', 'ai_quota', 'ai_too_large', 'ai_refused_audio', 'no_recogniser']

/**
 * The share of a day's budget that the questions of all people may use. The other half is left for transcription:
 * without a model a question can be typed, and is answered in the speaker's own words, but a video that is not
 * transcribed has failed.
 */
const QUESTIONS_SHARE = 0.5

/**
 * A model that one answer is paid to; the call that judges it is paid when it is made.
 * @returns null where that is more than questions may cost
 */
export async function payForAnswer(
  context: QuotaContext,
  prompt: TutorTask,
  model: TutorModel,
): Promise<TutorModel | null> {
  const { moduleId } = prompt
  const asked = forQuestions(context)
  const payment = toPayment(context, moduleId, usdOfAnswer(prompt))
  if (!(await pay(asked.d1, payment, asked.quotas))) return null
  return {
    name: model.name,
    async judge(task, signal) {
      const judgement = toPayment(context, moduleId, usdOfJudgement(task))
      if (!(await pay(asked.d1, judgement, asked.quotas)))
        throw new AppError('ai_quota', 'The AI quota of questions is used up.')
      return orPaidBack(context, judgement, () => model.judge(task, signal))
    },
    async *answer(task, signal) {
      let hasSpoken = false
      try {
        for await (const sentence of model.answer(task, signal)) {
          hasSpoken = true
          yield sentence
        }
      } catch (error) {
        if (!hasSpoken) await payBackUnpaid(context, payment, error)
        throw error
      }
    },
  }
}

/** Whose limit it is as the caller reads it: a learner has no part in the limits of the module's owner. */
function holderFor({ userId, orgId }: Caller, module: CountedModule, of: QuotaHolder): QuotaHolder {
  if (of === 'everyone' || module.userId === userId) return of
  return of === 'organization' && module.orgId === orgId ? of : 'owner'
}

/** Reserves the cost of transcribing one question, and returns the recogniser. @throws {AppError} quota_reached */
export async function payForRecording(
  context: QuotaContext,
  module: CountedModule,
  { caller, speech, durationMs }: { caller: Caller; speech: SpeechToText; durationMs: number },
): Promise<SpeechToText> {
  const usd = usdOfAudio(durationMs)
  const payment = toPayment(context, module.id, usd)
  const asked = forQuestions(context)
  if (!(await pay(asked.d1, payment, asked.quotas))) {
    const reached = await findReached(asked, toUse(asked, module, usd))
    throw quotaReached({ ...reached, of: holderFor(caller, module, reached.of) }, context.nowMs())
  }
  return {
    name: speech.name,
    transcribe: (part, signal) => orPaidBack(context, payment, () => speech.transcribe(part, signal)),
  }
}

/**
 * Refuses what would need a model and does not fit any more. Counts nothing: its calls do.
 * @throws {AppError} quota_reached
 */
export async function checkAiLeft(context: QuotaContext, module: CountedModule, usd: number): Promise<void> {
  if (!isLimited(context.quotas, 'ai')) return
  const over = await findOver(context, toUse(context, module, usd))
  if (over !== null) throw quotaReached(over, context.nowMs())
}

/** The recogniser, as far as the quota of a module's owner goes. Over it: `ai_quota`, with the limit in words. */
export function paidSpeech(context: QuotaContext, module: CountedModule, speech: SpeechToText): SpeechToText {
  return {
    name: speech.name,
    transcribe: (part, signal) =>
      callPaid({ context, module, usd: usdOfAudio(part.durationMs) }, () => speech.transcribe(part, signal)),
  }
}

/** The step writer, likewise. */
export function paidStepWriter(context: QuotaContext, module: CountedModule, writer: StepWriter): StepWriter {
  const { name, outline } = writer
  return {
    name,
    writeSteps: (window, signal) =>
      askPaid({ context, module, tokens: tokensOfSection(window) }, (mayRepair) =>
        writer.writeSteps(window, signal, mayRepair),
      ),
    ...(outline && {
      outline: (task, signal) =>
        askPaid({ context, module, tokens: tokensOfOutline(task) }, (mayRepair) => outline(task, signal, mayRepair)),
    }),
  }
}

/** The rewriter, likewise. */
export function paidTextRewriter(context: QuotaContext, module: CountedModule, rewriter: TextRewriter): TextRewriter {
  return {
    name: rewriter.name,
    rewrite: (task, signal) =>
      callPaid({ context, module, usd: usdOfRewrite(task.text) }, () => rewriter.rewrite(task, signal)),
  }
}

/** The instructions of a translation, and what stands around each text in question and answer. */
const TRANSLATE_PROMPT_TOKENS = 350
const TRANSLATED_TEXT_TOKENS = 6
/** Other languages need more tokens than English, and scripts that tokenizers know little of several times as many. */
const TRANSLATION_GROWTH = { latin: 1.6, other: 4 }
const OTHER_SCRIPTS: readonly string[] = ['ar', 'hi', 'th', 'zh']

/** Estimates what translating texts in one call costs, US dollars. */
export function usdOfTranslation({ texts, to }: Pick<TranslateTask, 'texts' | 'to'>): number {
  const tokens = countAll(texts) + texts.length * TRANSLATED_TEXT_TOKENS
  const growth = OTHER_SCRIPTS.includes(to) ? TRANSLATION_GROWTH.other : TRANSLATION_GROWTH.latin
  return usdOfTokens({ in: TRANSLATE_PROMPT_TOKENS + tokens, out: Math.ceil(tokens * growth) })
}

/** The translator, as far as the quota of a module's owner goes. One that costs nothing stays as it is. */
export function paidTranslator(context: QuotaContext, module: CountedModule, translator: Translator): Translator {
  if (!translator.isPaid) return translator
  return {
    ...translator,
    translate: (task, signal) =>
      callPaid({ context, module, usd: usdOfTranslation(task) }, () => translator.translate(task, signal)),
  }
}

interface PaidBy {
  context: QuotaContext
  module: CountedModule
}

async function callPaid<T>({ usd, ...by }: PaidBy & { usd: number }, call: () => Promise<T>): Promise<T> {
  const payment = await payOrThrow(by, usd)
  return orPaidBack(by.context, payment, call)
}

/** Pays for a call, and for its repair when it is made: what that reads is the prompt and the answer that it corrects. */
async function askPaid<T>(
  { tokens, ...by }: PaidBy & { tokens: Tokens },
  ask: (mayRepair: MayRepair) => Promise<T>,
): Promise<T> {
  const { context, module } = by
  let last = await payOrThrow(by, usdOfTokens(tokens))
  const repair = toPayment(context, module.id, usdOfTokens({ ...tokens, in: tokens.in + tokens.out }))
  try {
    return await ask(async () => {
      const isPaid = await pay(context.d1, repair, context.quotas)
      if (isPaid) last = repair
      return isPaid
    })
  } catch (error) {
    // An answer that was to be repaired was an answer, and stays paid.
    await payBackUnpaid(context, last, error)
    throw error
  }
}

async function payOrThrow({ context, module }: PaidBy, usd: number): Promise<Payment> {
  const payment = toPayment(context, module.id, usd)
  if (await pay(context.d1, payment, context.quotas)) return payment
  throw new AppError('ai_quota', sayReached(await findReached(context, toUse(context, module, usd))))
}

async function orPaidBack<T>(context: QuotaContext, payment: Payment, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    await payBackUnpaid(context, payment, error)
    throw error
  }
}

async function payBackUnpaid({ d1 }: QuotaContext, payment: Payment, error: unknown): Promise<void> {
  if (error instanceof AppError && UNPAID.includes(error.code)) await refundUse(d1, payment)
}

function forQuestions(context: QuotaContext): QuotaContext {
  const { user, organization, everyone } = context.quotas
  const cut = <Cut extends Pick<Limits, 'ai'>>(limits: Cut): Cut => ({
    ...limits,
    ai: limits.ai === null ? null : Math.floor(limits.ai * QUESTIONS_SHARE),
  })
  const quotas = { ...context.quotas, user: cut(user), organization: cut(organization), everyone: cut(everyone) }
  return { d1: context.d1, nowMs: context.nowMs, quotas }
}

type Payment = ReturnType<typeof toPayment>

function toPayment({ nowMs }: QuotaContext, moduleId: string, usd: number) {
  return { moduleId, day: dayOf(nowMs()), amount: Math.ceil(usd * UNITS.ai) }
}

function toUse(context: QuotaContext, { id, userId, orgId }: CountedModule, usd: number) {
  return { kind: 'ai' as const, userId, orgId, ...toPayment(context, id, usd) }
}
