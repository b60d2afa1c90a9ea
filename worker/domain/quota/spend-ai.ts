import type { QuotaHolder } from '#contract/problem.ts'
import { estimateTokens } from '#worker/domain/prompt-data.ts'
import { AppError } from '#worker/errors.ts'
import type { Caller } from '#worker/ports/identity.ts'
import type { StepWindow, StepWriter, TextRewriter, TutorModel, TutorTask } from '#worker/ports/language-model.ts'
import type { SpeechToText } from '#worker/ports/speech-to-text.ts'
import { AI_PRICES } from './prices.ts'
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

/**
 * Tokens of each kind of call, and what they cost (`AI_PRICES`). An English section of three minutes is about 1,400 tokens of
 * instructions and narration and 450 of steps; an answer 220 with its quotes, after its prompt, which for a video of a
 * quarter of an hour has 5,000; a judgement 40 at most. A text that is rewritten comes back as long as it was, after 300
 * tokens of instructions.
 */
const SECTION_TOKENS = { in: 1_400, out: 450 }
/** The instructions of a section, with the titles and the narration before it. */
const SECTION_PROMPT_TOKENS = 1_000
const ANSWER_TOKENS = { in: 5_000, out: 220 }
const JUDGE_TOKENS_OUT = 40
const REWRITE_PROMPT_TOKENS = 300
/** The instructions of an outline; of each step its title and the beginning of its description, and at most one entry. */
const OUTLINE_PROMPT_TOKENS = 800
const OUTLINE_STEP_TOKENS = { in: 60, out: 20 }

function usdOfTokens(tokens: { in: number; out: number }): number {
  return tokens.in * AI_PRICES.perTokenIn + tokens.out * AI_PRICES.perTokenOut
}

/** Estimates the cost of transcription, US dollars. */
export function usdOfAudio(durationMs: number): number {
  return (durationMs / 60_000) * AI_PRICES.perMinute
}

/** About what writing the steps of one section costs whose narration is not known any more, US dollars. */
export const USD_PER_SECTION = usdOfTokens(SECTION_TOKENS)

/** About what writing the steps of one section costs, US dollars. */
function usdOfSection({ segments }: StepWindow): number {
  const narration = segments.reduce((sum, { text }) => sum + estimateTokens(text), 0)
  return Math.max(USD_PER_SECTION, usdOfTokens({ ...SECTION_TOKENS, in: SECTION_PROMPT_TOKENS + narration }))
}

/** About what the outline of so many steps costs, US dollars. */
export function usdOfOutline(stepCount: number): number {
  const { in: tokensIn, out } = OUTLINE_STEP_TOKENS
  return usdOfTokens({ in: OUTLINE_PROMPT_TOKENS + stepCount * tokensIn, out: stepCount * out })
}

/** About what one answer of the tutor costs whose prompt is not known any more, US dollars. */
export const USD_PER_ANSWER = usdOfTokens(ANSWER_TOKENS)

function usdOfPrompt({ messages }: TutorTask, tokensOut: number): number {
  return usdOfTokens({ in: messages.reduce((sum, { content }) => sum + estimateTokens(content), 0), out: tokensOut })
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
const UNPAID: ReadonlySet<string> = new Set(['ai_busy', 'ai_quota', 'ai_too_large', 'no_recogniser'])

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
  if (!(await spendAi(asked, payment))) return null
  return {
    name: model.name,
    async judge(task, signal) {
      const judgement = toPayment(context, moduleId, usdOfJudgement(task))
      if (!(await spendAi(asked, judgement))) throw new AppError('ai_quota', 'The AI quota of questions is used up.')
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
  if (!(await spendAi(asked, payment))) {
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
      callPaid({ context, module, usd: usdOfSection(window) }, () => writer.writeSteps(window, signal)),
    ...(outline && {
      outline: (task, signal) =>
        callPaid({ context, module, usd: usdOfOutline(task.steps.length) }, () => outline(task, signal)),
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

async function callPaid<T>(
  { context, module, usd }: { context: QuotaContext; module: CountedModule; usd: number },
  call: () => Promise<T>,
): Promise<T> {
  const payment = toPayment(context, module.id, usd)
  if (!(await spendAi(context, payment))) {
    throw new AppError('ai_quota', sayReached(await findReached(context, toUse(context, module, usd))))
  }
  return orPaidBack(context, payment, call)
}

/** Counts the cost of one call against the quota of the module's owner. @returns false where it is too much */
async function spendAi({ d1, quotas }: QuotaContext, payment: Payment): Promise<boolean> {
  return !isLimited(quotas, 'ai') || pay(d1, payment, quotas)
}

async function orPaidBack<T>(context: QuotaContext, payment: Payment, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    await payBackUnpaid(context, payment, error)
    throw error
  }
}

async function payBackUnpaid({ d1, quotas }: QuotaContext, payment: Payment, error: unknown): Promise<void> {
  if (!isLimited(quotas, 'ai')) return
  if (error instanceof AppError && UNPAID.has(error.code)) await refundUse(d1, payment)
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
