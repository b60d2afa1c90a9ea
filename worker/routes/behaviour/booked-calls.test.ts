// Behaviour: each call of a model is paid before it is made and corrected afterwards: quotas, adapters and limits together.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it, vi } from 'vitest'
import { REWRITE_INSTRUCTION_MAX_CHARS, REWRITE_MAX_CHARS } from '#contract/limits.ts'
import { seedModule } from '#local/testing/modules.ts'
import { workersAiLanguage } from '#worker/adapters/workers-ai/workers-ai-models.ts'
import type { Quotas } from '#worker/core/context.ts'
import { watchServices } from '#worker/domain/health/outcome-store.ts'
import { AI_PRICES } from '#worker/domain/quota/prices.ts'
import { paidStepWriter, paidTextRewriter, paidTranslator, payForAnswer } from '#worker/domain/quota/spend-ai.ts'
import { UNITS } from '#worker/domain/quota/take-quota.ts'
import { judgePrompt, MAX_JUDGED } from '#worker/domain/tutor/prompts/judge-sentences.v1.ts'
import { openDriver } from '#worker/pipeline/testing/drive.ts'
import type { ChatMessage, Tokens } from '#worker/ports/language-model.ts'
import { ANSWER_MAX_TOKENS } from '#worker/ports/language-model.ts'

vi.spyOn(console, 'log').mockImplementation(() => undefined)

const NONE = {
  modules: null,
  minutes: null,
  ai: null,
  bytes: null,
  feedback: null,
  questions: null,
  runs: null,
  photos: null,
}
const signal = new AbortController().signal
const LETTERS = 5_000

/** What arrives at Workers AI. */
interface Inputs {
  messages: ChatMessage[]
  max_tokens: number
  stream?: boolean
}
type Reply = (inputs: Inputs) => unknown

const GOOD_STEPS = {
  response: { continues: false, steps: [{ first: 1, last: 1, title: 'Open the lid', description: '' }] },
}
const GOOD_ENTRIES = { response: { entries: [{ first: 1, title: 'All' }] } }
const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`

/** A reply with what it has used, where it says so. */
const withUsage = (reply: object, used: Tokens | undefined) => {
  return used ? { ...reply, usage: { prompt_tokens: used.in, completion_tokens: used.out } } : reply
}

const streamed = (used: Tokens | undefined) => {
  const events = [event({ response: 'Open it. [1]\n' }), event(withUsage({ response: '' }, used)), 'data: [DONE]\n\n']
  return new Response(events.join('')).body
}

/** The services of Workers AI, watched as in the worker and paid by the owner of a module. */
async function openPaid({ replies, ai = UNITS.ai }: { replies: Reply[]; ai?: number }) {
  const userId = `user_${nanoid(8)}`
  const { id } = await seedModule({ userId })
  const calls: Inputs[] = []
  const run = async (_model: string, inputs: Inputs) => {
    calls.push(inputs)
    const reply = replies[Math.min(calls.length, replies.length) - 1]?.(inputs)
    if (reply instanceof Error) throw reply
    return reply
  }
  const { deps } = openDriver()
  const language = workersAiLanguage({ ai: { run } as unknown as Ai, pace: async () => undefined, models: env })
  const noted: unknown[] = []
  const services = watchServices({ ...deps.services, ...language }, (...outcome) => void noted.push(outcome))
  const quotas: Quotas = {
    user: { ...NONE, ai },
    organization: NONE,
    everyone: { ai: null },
    mails: { organization: null, everyone: null },
    rows: null,
  }
  const context = { d1: env.DB, quotas, nowMs: Date.now }
  const counted = { id, userId, orgId: null }
  const sumOf = async (moduleId: string) => {
    const sql = 'SELECT coalesce(sum(amount), 0) AS sum FROM quota_uses WHERE module_id = ? AND kind = ?'
    return Number(await env.DB.prepare(sql).bind(moduleId, 'ai').first('sum'))
  }
  return { calls, noted, services, context, counted, id, readBooked: async () => (await sumOf(id)) / UNITS.ai }
}

type Paid = Awaited<ReturnType<typeof openPaid>>

const SAID = '今から作業を始めます'.repeat(LETTERS / 10)
const segments = [{ id: 's0', startMs: 0, endMs: 60_000, text: SAID }]
const window = { moduleTitle: 'Work', durationMs: 60_000, language: 'ja', glossary: null, before: [], segments }
const question = (moduleId: string) => ({ moduleId, messages: [{ role: 'user' as const, content: SAID }] })

async function answer({ services, context, id }: Paid): Promise<void> {
  if (services.tutorModel === null) throw new Error('There is no tutor.')
  const task = question(id)
  const model = await payForAnswer(context, { ...task, maxTokens: ANSWER_MAX_TOKENS }, services.tutorModel)
  for await (const _ of model?.answer(task, signal) ?? []);
}

async function judge({ services, context, id }: Paid): Promise<void> {
  if (services.tutorModel === null) throw new Error('There is no tutor.')
  const task = question(id)
  const model = await payForAnswer(context, { ...task, maxTokens: ANSWER_MAX_TOKENS }, services.tutorModel)
  for await (const _ of model?.answer(task, signal) ?? []);
  const sentences = Array.from({ length: MAX_JUDGED }, () => ({ text: SAID.slice(0, 300), source: SAID.slice(0, 900) }))
  await model?.judge({ moduleId: id, messages: judgePrompt(sentences) }, signal)
}

const writeSteps = ({ services, context, counted }: Paid) =>
  paidStepWriter(context, counted, services.stepWriter).writeSteps(window, signal)

/** Each kind of work that a model does: how it is asked for, and what the model replies to one call after the other. */
const KINDS: Record<string, { ask: (paid: Paid) => Promise<unknown>; replies: ((used?: Tokens) => Reply)[] }> = {
  'a rewritten text': {
    ask: ({ services, context, counted }) =>
      paidTextRewriter(context, counted, services.textRewriter).rewrite(
        { text: 'So.'.repeat(REWRITE_MAX_CHARS / 3), instruction: '短'.repeat(REWRITE_INSTRUCTION_MAX_CHARS) },
        signal,
      ),
    replies: [(used) => () => withUsage({ response: 'So.' }, used)],
  },
  'a translation': {
    ask: ({ services, context, counted }) => {
      if (services.translator === null) throw new Error('There is no translator.')
      const terms = [{ word: 'lid', text: 'tapa' }]
      const task = { from: 'en', to: 'es' as const, moduleTitle: 'Work', texts: ['Yes.'], terms, complaints: [] }
      return paidTranslator(context, counted, services.translator).translate(task, signal)
    },
    replies: [(used) => () => withUsage({ response: { texts: [{ number: 1, text: 'Sí.' }] } }, used)],
  },
  'steps of a section': { ask: writeSteps, replies: [(used) => () => withUsage(GOOD_STEPS, used)] },
  'steps that are repaired': {
    ask: writeSteps,
    replies: [
      (used) => () => withUsage({ response: '{"steps": '.repeat(500) }, used),
      (used) => () => withUsage(GOOD_STEPS, used),
    ],
  },
  'an outline': {
    ask: async ({ services, context, counted }) => {
      const steps = Array.from({ length: 20 }, (_, at) => ({
        startMs: at * 60_000,
        endMs: (at + 1) * 60_000,
        title: '今'.repeat(20),
        lines: [{ line: at + 1, startMs: at * 60_000, text: '今'.repeat(120) }],
      }))
      const task = { moduleTitle: 'Work', durationMs: null, language: 'ja', steps, hasChapters: true }
      await paidStepWriter(context, counted, services.stepWriter).outline?.(task, signal)
    },
    replies: [(used) => () => withUsage(GOOD_ENTRIES, used)],
  },
  'an answer': { ask: answer, replies: [(used) => () => streamed(used)] },
  'an answer of the second model': {
    ask: async (paid) => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
      await answer(paid)
      warn.mockRestore()
    },
    // The first one broke off, so that it is paid for.
    replies: [() => () => new Response('data: {"resp').body, (used) => () => streamed(used)],
  },
  'an answer that is judged': {
    ask: judge,
    replies: [(used) => () => streamed(used), (used) => () => withUsage({ response: '1 yes' }, used)],
  },
}

/** What a provider takes for calls that use all that they may, US dollars; English letters by four. */
function usdOfAll(calls: readonly Inputs[]): number {
  const tokensOf = (text: string) => {
    const ascii = text.match(/[ -~]/g)?.length ?? 0
    return ascii / 4 + (text.length - ascii)
  }
  return calls.reduce((sum, { messages, max_tokens }) => {
    const read = messages.reduce((tokens, { content }) => tokens + tokensOf(content), 0)
    return sum + read * AI_PRICES.perTokenIn + max_tokens * AI_PRICES.perTokenOut
  }, 0)
}

describe('the booking of calls of a model', () => {
  it.each(Object.entries(KINDS))('is all that %s can cost', { tags: 'attack-63' }, async (_what, { ask, replies }) => {
    const paid = await openPaid({ replies: replies.map((reply) => reply()) })
    await ask(paid)
    expect(paid.calls).toHaveLength(replies.length)
    const bought = usdOfAll(paid.calls)
    expect(await paid.readBooked()).toBeGreaterThanOrEqual(bought)
    // Not more by far: each call is rounded up, and each message has something around it.
    expect(await paid.readBooked()).toBeLessThan(1.1 * bought)
  })

  it.each(Object.entries(KINDS))('is corrected by what %s has used', async (what, { ask, replies }) => {
    const used = { in: 1_000, out: 30 }
    const paid = await openPaid({ replies: replies.map((reply) => reply(used)) })
    await ask(paid)
    const usd = used.in * AI_PRICES.perTokenIn + used.out * AI_PRICES.perTokenOut
    const broken = what.includes('second') ? usdOfAll(paid.calls.slice(0, 1)) : 0
    const reported = paid.calls.length - Number(broken > 0)
    expect(await paid.readBooked()).toBeGreaterThanOrEqual(broken + reported * usd)
    expect(await paid.readBooked()).toBeLessThan((broken + reported * usd) * 1.1)
  })

  it('grows where a prompt had more tokens than were estimated, so that the next call does not fit', async () => {
    const many = { in: 20_000_000, out: 1_400 }
    const { ask, replies } = KINDS['a rewritten text'] ?? {}
    const paid = await openPaid({ replies: replies?.map((reply) => reply(many)) ?? [] })
    await ask?.(paid)
    expect(await paid.readBooked()).toBeGreaterThan(1)
    await expect(ask?.(paid)).rejects.toMatchObject({ code: 'ai_quota' })
    expect(paid.calls).toHaveLength(1)
  })

  it('is not for a call that does not fit, which says nothing of the model', async () => {
    for (const { ask, replies } of Object.values(KINDS)) {
      const paid = await openPaid({ replies: replies.map((reply) => reply()), ai: 100 })
      await Promise.resolve(ask(paid)).catch((error: unknown) => expect(error).toMatchObject({ code: 'ai_quota' }))
      expect([paid.calls, paid.noted, await paid.readBooked()]).toEqual([[], [], 0])
    }
  })

  it('is refunded where the model was busy', async () => {
    for (const { ask } of Object.values(KINDS)) {
      const paid = await openPaid({ replies: [() => new Error('3040: Capacity temporarily exceeded.')] })
      await expect(ask(paid)).rejects.toMatchObject({ code: 'ai_busy' })
      expect(await paid.readBooked()).toBe(0)
    }
  })
})
