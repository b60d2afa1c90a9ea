import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeStepWriter } from '#worker/adapters/language/ask-model.ts'
import { AppError } from '#worker/core/errors.ts'
import { CALLOUTS_RULE, NOTES_RULE } from '#worker/domain/step/prompts/write-steps.v5.ts'

interface Message {
  content: string
}

/** A step as it was answered: first line, last line and title. Descriptions are not scored and not kept. */
type AnsweredStep = readonly [first: number, last: number, title: string]

/** What a model answered to the product's own prompts, without a word of the recordings. */
interface Answered {
  /** Recordings whose prompts were put to the model. */
  recordings: string[]
  /** Those of them whose marks were read to learn what people mark, before the prompts were answered. */
  lookedAt?: string[]
  answers: Record<string, Answer>
}

/** One prompt's answer, and what gave it. */
interface Answer {
  recording: string
  by: string
  continues?: boolean
  steps?: AnsweredStep[]
  callouts?: (readonly [line: number, kind: string, text: string])[]
  entries?: (readonly [first: number, title: string, chapter?: string])[]
}

/** Where prompts without an answer are written, outside of the project, since they hold words of the recordings. */
const PROMPTS_DIR = process.env['ADAPT_PROMPTS_DIR'] ?? ''
/** Enough to distinguish prompts. */
const HASH_CHARS = 12

/**
 * Opens a model whose answers were written down: the product's prompts, parsing and checks around them are the real ones.
 * @param hash names a prompt
 */
export function openAnsweredModel(file: URL, hash: (messages: readonly Message[]) => string) {
  const { recordings, lookedAt = [], answers } = JSON.parse(readFileSync(file, 'utf8')) as Answered
  /** Prompts that have no answer, by recording and hash. */
  const unanswered: string[] = []
  /** What gave the answers. */
  const answeredBy = new Set<string>()
  const find = (recording: string, messages: readonly Message[]): Answer => {
    const name = hash(messages)
    const answer = answers[name]
    if (answer === undefined) {
      unanswered.push(`${recording} ${name}`)
      keepPrompt(`${recording}.${name}`, messages)
      throw new AppError('ai_failed', `Prompt ${name} of ${recording} has no answer.`)
    }
    answeredBy.add(answer.by)
    return answer
  }
  return {
    recordings,
    lookedAt,
    unanswered,
    answeredBy,
    /** A writer for one recording, whose prompts are named after it. */
    writerFor: (recording: string) =>
      makeStepWriter({
        name: 'answers that were written down',
        ask: async ({ messages }) => toModelAnswer(find(recording, messages)),
        stream: () => Promise.reject(new AppError('ai_failed', 'Steps are not streamed.')),
      }),
  }
}

function toModelAnswer({ continues = false, steps = [], entries, callouts }: Answer): unknown {
  if (entries !== undefined) {
    return { entries: entries.map(([first, title, chapter = '']) => ({ first, title, chapter })) }
  }
  return {
    continues,
    steps: steps.map(([first, last, title]) => ({ first, last, title, description: '' })),
    callouts: callouts?.map(([line, kind, text]) => ({ line, kind, text })),
  }
}

/** Names a prompt by its content. */
export function hashPrompt(messages: readonly Message[]): string {
  return createHash('sha256').update(JSON.stringify(messages)).digest('hex').slice(0, HASH_CHARS)
}

function hashWithout(messages: readonly Message[], ...rules: string[]): string {
  const shorten = (content: string) => rules.reduce((text, rule) => text.replace(rule, ''), content)
  return hashPrompt(messages.map((message) => ({ ...message, content: shorten(message.content) })))
}

/** The same without the rule on notes, which no benchmark scores: the answers were given without it. */
export function hashCalloutsPrompt(messages: readonly Message[]): string {
  return hashWithout(messages, NOTES_RULE)
}

/** Likewise without the rule on callouts, where these are not scored. */
export function hashStepsPrompt(messages: readonly Message[]): string {
  return hashWithout(messages, CALLOUTS_RULE, NOTES_RULE)
}

/** Writes a prompt without an answer, where a folder for such is named. */
export function keepPrompt(name: string, messages: readonly Message[]): void {
  if (PROMPTS_DIR === '') return
  mkdirSync(PROMPTS_DIR, { recursive: true })
  writeFileSync(join(PROMPTS_DIR, `${name}.txt`), messages.map(({ content }) => content).join('\n\n'))
}
