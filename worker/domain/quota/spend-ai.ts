import type { QuotaHolder } from '#contract/problem.ts'
import type { SpokenRequest } from '#contract/tutor.ts'
import type { Limits } from '#worker/core/context.ts'
import { AppError, faultOf } from '#worker/core/errors.ts'
import { estimateTokens } from '#worker/domain/prompt-data.ts'
import { logLine } from '#worker/log/log.ts'
import type { Caller } from '#worker/ports/identity.ts'
import type {
  BookedCall,
  CallMeter,
  ModelRequest,
  StepWriter,
  TextRewriter,
  TutorModel,
  TutorTask,
} from '#worker/ports/language-model.ts'
import type { SpeechToText } from '#worker/ports/speech-to-text.ts'
import type { TranslateTask, Translator } from '#worker/ports/translator.ts'
import { AI_PRICES, ANSWER_TOKENS, QUESTIONS_SHARE, SECTION_TOKENS, usdOfTokens } from './prices.ts'
import { pay, refundUse } from './quota-store.ts'
import {
  type CountedModule,
  dayOf,
  findOver,
  findReached,
  isLimited,
  type QuotaContext,
  quotaReached,
  sayReached,
  UNITS,
} from './take-quota.ts'

/** What a conversation has around each message. */
const MESSAGE_TOKENS = 8

/** Estimates the cost of transcription, US dollars. */
export function usdOfAudio(durationMs: number): number {
  return (durationMs / 60_000) * AI_PRICES.perMinute
}

/** About what writing the steps of one section costs whose narration is not known any more, US dollars. */
export const USD_PER_SECTION = usdOfTokens(SECTION_TOKENS)

function countAll(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0)
}

/** About what one answer of the tutor costs whose prompt is not known any more, US dollars. */
export const USD_PER_ANSWER = usdOfTokens(ANSWER_TOKENS)

/** Computes the most that a call can cost, US dollars: its prompt, and an answer as long as the model may make it. */
export function usdOfCall({ messages, maxTokens }: ModelRequest): number {
  const read = countAll(messages.map(({ content }) => content)) + messages.length * MESSAGE_TOKENS
  return usdOfTokens({ in: read, out: maxTokens })
}

/** Failures of a model that has done nothing. One that took too long, or broke off, is paid for. */
const UNPAID: readonly string[] = ['ai_busy', 'ai_quota', 'ai_too_large', 'ai_refused_audio', 'no_recogniser']

/**
 * A model whose answer is booked, as are the calls that it takes besides: of the second model, and of the judge.
 * @returns null where the answer is more than questions may cost
 */
export async function payForAnswer(
  context: QuotaContext,
  { moduleId, ...request }: ModelRequest & Pick<TutorTask, 'moduleId'>,
  model: TutorModel,
): Promise<TutorModel | null> {
  const questionContext = forQuestions(context)
  const book = async (call: ModelRequest): Promise<BookedCall | null> => {
    const payment = toPayment(context, moduleId, usdOfCall(call))
    return (await pay(questionContext.d1, payment, questionContext.quotas)) ? toBooked(context, payment) : null
  }
  let ahead = await book(request)
  if (ahead === null) return null
  const meter: CallMeter = {
    async book(call) {
      const booked = ahead ?? (await book(call))
      ahead = null
      if (booked !== null) return booked
      throw new AppError('ai_quota', 'The AI quota of questions is used up.', { isUnasked: true })
    },
  }
  return {
    name: model.name,
    judge: (task, signal) => model.judge(task, signal, meter),
    async *answer(task, signal) {
      try {
        yield* model.answer(task, signal, meter)
      } catch (error) {
        await ahead?.fail(error)
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

/**
 * Reserves the cost of transcribing what a person says, and returns the recogniser. Questions share a part of the day;
 * an answer of the trainer counts as other work with the video does, so that it takes nothing from learners.
 * @throws {AppError} quota_reached
 */
export async function payForRecording(
  context: QuotaContext,
  module: CountedModule,
  {
    caller,
    speech,
    durationMs,
    purpose,
  }: { caller: Caller; speech: SpeechToText; durationMs: number; purpose: SpokenRequest['purpose'] },
): Promise<SpeechToText> {
  const usd = usdOfAudio(durationMs)
  const payment = toPayment(context, module.id, usd)
  const payer = purpose === 'question' ? forQuestions(context) : context
  if (!(await pay(payer.d1, payment, payer.quotas))) {
    const reached = await findReached(payer, toUse(payer, module, usd))
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

/** The step writer, likewise: each of its calls is booked as what it can cost. */
export function paidStepWriter(context: QuotaContext, module: CountedModule, writer: StepWriter): StepWriter {
  const { name, outline } = writer
  const meter = openMeter({ context, module })
  return {
    name,
    writeSteps: (window, signal) => writer.writeSteps(window, signal, meter),
    ...(outline && { outline: (task, signal) => outline(task, signal, meter) }),
  }
}

/** The rewriter, likewise. */
export function paidTextRewriter(context: QuotaContext, module: CountedModule, rewriter: TextRewriter): TextRewriter {
  const meter = openMeter({ context, module })
  return { name: rewriter.name, rewrite: (task, signal) => rewriter.rewrite(task, signal, meter) }
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
  const meter = openMeter({ context, module })
  return { ...translator, translate: (task, signal) => translator.translate(task, signal, meter) }
}

interface PaidBy {
  context: QuotaContext
  module: CountedModule
}

async function callPaid<T>({ usd, ...by }: PaidBy & { usd: number }, call: () => Promise<T>): Promise<T> {
  const payment = await payOrThrow(by, usd)
  return orPaidBack(by.context, payment, call)
}

function openMeter(by: PaidBy): CallMeter {
  return { book: async (request) => toBooked(by.context, await payOrThrow(by, usdOfCall(request))) }
}

function toBooked(context: QuotaContext, payment: Payment): BookedCall {
  return {
    async settle(used) {
      if (used === null) return
      const { amount } = toPayment(context, payment.moduleId, usdOfTokens(used))
      try {
        // Less than nothing where the prompt had more tokens than were estimated: it is added.
        await refundUse(context.d1, { ...payment, amount: payment.amount - amount })
      } catch (error) {
        // The answer is there; the day has it as the most that it could cost.
        logLine('warn', 'booking_not_settled', { moduleId: payment.moduleId, ...faultOf(error) })
      }
    },
    fail: (error) => payBackUnpaid(context, payment, error),
  }
}

async function payOrThrow({ context, module }: PaidBy, usd: number): Promise<Payment> {
  const payment = toPayment(context, module.id, usd)
  if (await pay(context.d1, payment, context.quotas)) return payment
  const reached = await findReached(context, toUse(context, module, usd))
  throw new AppError('ai_quota', sayReached(reached), { isUnasked: true })
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
