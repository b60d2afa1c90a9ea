import { AppError } from '#worker/errors.ts'
import type { SpeechToText } from '#worker/ports/speech-to-text.ts'
import type { StepWriter } from '#worker/ports/step-writer.ts'
import type { TextRewriter } from '#worker/ports/text-rewriter.ts'
import { USD_PER_STRETCH, usdOfRewrite, usdOfSound } from './ai-prices.ts'
import { pay, payBack, readUses } from './quota-store.ts'
import { isLimited, UNITS } from './quotas.ts'
import { type CountedModule, dayOf, findReached, type QuotaDeps, quotaReached, sayReached } from './take-quota.ts'

/** Failures of a model that has done nothing. One that took too long, or broke off, is paid for. */
const UNPAID: ReadonlySet<string> = new Set(['ai_busy', 'ai_quota', 'ai_too_large', 'no_recogniser'])

/** Counts the cost of one call against the quota of the module's owner. @returns false where it is too much */
export async function spendAi(deps: QuotaDeps, moduleId: string, usd: number): Promise<boolean> {
  if (!isLimited(deps.quotas, 'ai')) return true
  return pay(deps.d1, toPayment(deps, moduleId, usd), deps.quotas)
}

/** The same for a call that cannot be done without a model. @throws {AppError} quota_reached */
export async function spendAiOrRefuse(deps: QuotaDeps, module: CountedModule, usd: number): Promise<void> {
  if (await spendAi(deps, module.id, usd)) return
  throw quotaReached(await findAiLimit(deps, module, usd))
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
  if (fits(used.user, user.ai) && (orgId === null || fits(used.organization, organization.ai))) return
  throw quotaReached(await findAiLimit(deps, module, usd))
}

/** The recogniser, as far as the quota of a module's owner goes. Over it: `ai_quota`, with the limit in words. */
export function paidSpeech(deps: QuotaDeps, module: CountedModule, speech: SpeechToText): SpeechToText {
  return {
    name: speech.name,
    transcribe: (part, signal) =>
      callPaid({ deps, module, usd: usdOfSound(part.durationMs) }, () => speech.transcribe(part, signal)),
  }
}

/** The step writer, likewise. */
export function paidStepWriter(deps: QuotaDeps, module: CountedModule, writer: StepWriter): StepWriter {
  return {
    name: writer.name,
    writeSteps: (window, signal) =>
      callPaid({ deps, module, usd: USD_PER_STRETCH }, () => writer.writeSteps(window, signal)),
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
  if (!isLimited(deps.quotas, 'ai')) return call()
  const payment = toPayment(deps, module.id, usd)
  if (!(await pay(deps.d1, payment, deps.quotas))) {
    throw new AppError('ai_quota', sayReached(await findAiLimit(deps, module, usd)))
  }
  try {
    return await call()
  } catch (error) {
    if (error instanceof AppError && UNPAID.has(error.code)) await payBack(deps.d1, payment)
    throw error
  }
}

function toPayment({ nowMs }: QuotaDeps, moduleId: string, usd: number) {
  return { moduleId, day: dayOf(nowMs()), amount: Math.ceil(usd * UNITS.ai) }
}

function findAiLimit(deps: QuotaDeps, { id, userId, orgId }: CountedModule, usd: number) {
  return findReached(deps, { kind: 'ai', userId, orgId, ...toPayment(deps, id, usd) })
}
