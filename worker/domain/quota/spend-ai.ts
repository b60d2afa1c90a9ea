import { AppError } from '#worker/errors.ts'
import type { SpeechToText } from '#worker/ports/speech-to-text.ts'
import type { StepWriter } from '#worker/ports/step-writer.ts'
import type { TextRewriter } from '#worker/ports/text-rewriter.ts'
import type { TutorModel } from '#worker/ports/tutor-model.ts'
import { USD_PER_ANSWER, USD_PER_SECTION, usdOfAudio, usdOfRewrite } from './ai-prices.ts'
import { pay, payBack, readUses } from './quota-store.ts'
import { isLimited, type Limits, UNITS } from './quotas.ts'
import {
  type CountedModule,
  dayOf,
  findReached,
  isOverForEveryone,
  type QuotaDeps,
  quotaReached,
  sayReached,
} from './take-quota.ts'

/** Failures of a model that has done nothing. One that took too long, or broke off, is paid for. */
const UNPAID: ReadonlySet<string> = new Set(['ai_busy', 'ai_quota', 'ai_too_large', 'no_recogniser'])

/**
 * The share of a day's budget that the questions of all people may use. The other half is left for transcription:
 * without a model a question can be typed, and is answered in the speaker's own words, but a video that is not
 * transcribed has failed.
 */
const QUESTIONS_SHARE = 0.5

/** A model that one answer is paid to. @returns null where that is more than questions may cost */
export async function payForAnswer(deps: QuotaDeps, moduleId: string, model: TutorModel): Promise<TutorModel | null> {
  const payment = toPayment(deps, moduleId, USD_PER_ANSWER)
  if (!(await spendAi(forQuestions(deps), payment))) return null
  return {
    name: model.name,
    async *answer(task, signal) {
      let hasSpoken = false
      try {
        for await (const sentence of model.answer(task, signal)) {
          hasSpoken = true
          yield sentence
        }
      } catch (error) {
        if (!hasSpoken) await payBackUnpaid(deps, payment, error)
        throw error
      }
    },
  }
}

/** Reserves the cost of transcribing one question, and returns the recogniser. @throws {AppError} quota_reached */
export async function payForRecording(
  deps: QuotaDeps,
  module: CountedModule,
  { speech, durationMs }: { speech: SpeechToText; durationMs: number },
): Promise<SpeechToText> {
  const usd = usdOfAudio(durationMs)
  const payment = toPayment(deps, module.id, usd)
  const asked = forQuestions(deps)
  if (!(await spendAi(asked, payment))) throw quotaReached(await findAiLimit(asked, module, usd))
  return {
    name: speech.name,
    transcribe: (part, signal) => orPaidBack(deps, payment, () => speech.transcribe(part, signal)),
  }
}

/**
 * Refuses what would need a model and does not fit any more. Counts nothing: its calls do.
 * @throws {AppError} quota_reached
 */
export async function checkAiLeft(deps: QuotaDeps, module: CountedModule, usd: number): Promise<void> {
  if (!isLimited(deps.quotas, 'ai')) return
  const { id, userId, orgId } = module
  const { day, amount } = toPayment(deps, id, usd)
  const used = await readUses(deps.d1, { kind: 'ai', day, userId, orgId })
  const { user, organization } = deps.quotas
  const fits = (ofHolder: number, most: number | null) => most === null || ofHolder + amount <= most
  const fitsHere = fits(used.user, user.ai) && (orgId === null || fits(used.organization, organization.ai))
  if (fitsHere && !(await isOverForEveryone(deps.d1, deps.quotas, { day, amount }))) return
  throw quotaReached(await findAiLimit(deps, module, usd))
}

/** The recogniser, as far as the quota of a module's owner goes. Over it: `ai_quota`, with the limit in words. */
export function paidSpeech(deps: QuotaDeps, module: CountedModule, speech: SpeechToText): SpeechToText {
  return {
    name: speech.name,
    transcribe: (part, signal) =>
      callPaid({ deps, module, usd: usdOfAudio(part.durationMs) }, () => speech.transcribe(part, signal)),
  }
}

/** The step writer, likewise. */
export function paidStepWriter(deps: QuotaDeps, module: CountedModule, writer: StepWriter): StepWriter {
  return {
    name: writer.name,
    writeSteps: (window, signal) =>
      callPaid({ deps, module, usd: USD_PER_SECTION }, () => writer.writeSteps(window, signal)),
  }
}

/** The rewriter, likewise. */
export function paidTextRewriter(deps: QuotaDeps, module: CountedModule, rewriter: TextRewriter): TextRewriter {
  return {
    name: rewriter.name,
    rewrite: (task, signal) =>
      callPaid({ deps, module, usd: usdOfRewrite(task.text) }, () => rewriter.rewrite(task, signal)),
  }
}

async function callPaid<T>(
  { deps, module, usd }: { deps: QuotaDeps; module: CountedModule; usd: number },
  call: () => Promise<T>,
): Promise<T> {
  const payment = toPayment(deps, module.id, usd)
  if (!(await spendAi(deps, payment))) {
    throw new AppError('ai_quota', sayReached(await findAiLimit(deps, module, usd)))
  }
  return orPaidBack(deps, payment, call)
}

/** Counts the cost of one call against the quota of the module's owner. @returns false where it is too much */
async function spendAi({ d1, quotas }: QuotaDeps, payment: Payment): Promise<boolean> {
  return !isLimited(quotas, 'ai') || pay(d1, payment, quotas)
}

async function orPaidBack<T>(deps: QuotaDeps, payment: Payment, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    await payBackUnpaid(deps, payment, error)
    throw error
  }
}

async function payBackUnpaid({ d1, quotas }: QuotaDeps, payment: Payment, error: unknown): Promise<void> {
  if (!isLimited(quotas, 'ai')) return
  if (error instanceof AppError && UNPAID.has(error.code)) await payBack(d1, payment)
}

function forQuestions(deps: QuotaDeps): QuotaDeps {
  const { user, organization, everyone } = deps.quotas
  const cut = <Cut extends Pick<Limits, 'ai'>>(limits: Cut): Cut => ({
    ...limits,
    ai: limits.ai === null ? null : Math.floor(limits.ai * QUESTIONS_SHARE),
  })
  const quotas = { ...deps.quotas, user: cut(user), organization: cut(organization), everyone: cut(everyone) }
  return { ...deps, quotas }
}

type Payment = ReturnType<typeof toPayment>

function toPayment({ nowMs }: QuotaDeps, moduleId: string, usd: number) {
  return { moduleId, day: dayOf(nowMs()), amount: Math.ceil(usd * UNITS.ai) }
}

function findAiLimit(deps: QuotaDeps, { id, userId, orgId }: CountedModule, usd: number) {
  return findReached(deps, { kind: 'ai', userId, orgId, ...toPayment(deps, id, usd) })
}
