import { z } from 'zod'
import { findLanguage, type LanguageTag } from '#contract/languages.ts'
import { AppError } from '#worker/core/errors.ts'
import { IsolateCache } from '#worker/core/isolate-cache.ts'
import type { Translator } from '#worker/ports/translator.ts'
import { withDeadline } from '../service/call-service.ts'

const WHO = 'The translation service'
const TIMEOUT_MS = 60_000
/** Languages of a server change with its installation. */
const LANGUAGES_KEPT_MS = 60_000

const LanguagesAnswer = z.array(z.object({ code: z.string(), targets: z.array(z.string()).default([]) }))
const TranslateAnswer = z.object({ translatedText: z.array(z.string()) })

/** The languages that each language of a server is translated to. */
type Targets = Map<string, LanguageTag[]>

/** Adapters are made for each request, so the listed languages are cached per isolate. */
const targetsByUrl = new IsolateCache<Targets>({ maxAgeMs: LANGUAGES_KEPT_MS, maxWeight: 10 })

async function call(url: string, init: RequestInit, signal: AbortSignal): Promise<unknown> {
  return withDeadline({ timeoutMs: TIMEOUT_MS, signal, who: WHO }, async (either) => {
    const answer = await fetch(url, { ...init, signal: either }).catch((cause: unknown) => {
      throw new AppError('ai_busy', `${WHO} cannot be reached.`, { cause })
    })
    if (answer.ok) return answer.json()
    const cause = new Error(`HTTP ${answer.status}: ${(await answer.text()).slice(0, 500)}`)
    if (answer.status === 429 || answer.status >= 500) throw new AppError('ai_busy', `${WHO} is busy.`, { cause })
    throw new AppError('ai_failed', `${WHO} refused the texts (${answer.status}).`, { cause })
  })
}

function parse<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.infer<Schema> {
  const { data } = schema.safeParse(answer)
  if (data === undefined) throw new AppError('ai_failed', `${WHO} gave an answer of an unknown form.`)
  return data
}

async function listPairs(baseUrl: string, signal: AbortSignal): Promise<Targets> {
  const listed = parse(LanguagesAnswer, await call(`${baseUrl}/languages`, {}, signal))
  return new Map(
    listed.map(({ code, targets: to }) => [code, to.flatMap((tag) => (tag === code ? [] : (findLanguage(tag) ?? [])))]),
  )
}

/** An engine that translates word by word: "Use man command" became "Orden de hombre". */
const BY_RULES = /apertium/i

/**
 * Translation by any server with LibreTranslate's `/languages` and `/translate`.
 * @param server `name` is what learners read about who translated
 */
export function libreTranslator({ baseUrl: address, name }: { baseUrl: string; name: string }): Translator {
  const baseUrl = address.replace(/\/+$/, '')
  return {
    name,
    isPaid: false,
    isRough: BY_RULES.test(name),
    async listTargets(from, signal) {
      const targets = await targetsByUrl.load(baseUrl, Date.now(), () => listPairs(baseUrl, signal))
      return targets.get(from) ?? []
    },
    async translate({ from, to, texts }, signal) {
      const body = JSON.stringify({ q: texts, source: from, target: to, format: 'text' })
      const headers = { 'content-type': 'application/json' }
      const answer = await call(`${baseUrl}/translate`, { method: 'POST', headers, body }, signal)
      return parse(TranslateAnswer, answer).translatedText
    },
  }
}
