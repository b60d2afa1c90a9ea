import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeStepWriter } from '#worker/adapters/language/ask-model.ts'
import { CALLOUTS_RULE } from '#worker/domain/step/prompts/write-steps.v3.ts'
import { AppError } from '#worker/errors.ts'

/** A step as it was answered: first line, last line and title. Descriptions are not scored and not kept. */
type AnsweredStep = readonly [first: number, last: number, title: string]

/** What a model answered to the product's own prompts, without a word of the recordings. */
interface Answered {
  /** Recordings whose prompts were put to the model. */
  recordings: string[]
  answers: Record<string, Answer>
}

/** One prompt's answer, and what gave it. */
interface Answer {
  recording: string
  by: string
  continues?: boolean
  steps?: AnsweredStep[]
  entries?: (readonly [first: number, title: string, chapter?: string])[]
}

const ANSWERS_FILE = new URL('./answers.json', import.meta.url)
/** Where prompts without an answer are written, outside of the project, since they hold words of the recordings. */
const PROMPTS_DIR = process.env['ADAPT_PROMPTS_DIR'] ?? ''
/** Enough to distinguish prompts. */
const HASH_CHARS = 12

/** Opens a model whose answers were written down: the product's prompts, parsing and checks around them are the real ones. */
export function openAnsweredModel() {
  const { recordings, answers } = JSON.parse(readFileSync(ANSWERS_FILE, 'utf8')) as Answered
  /** Prompts that have no answer, by recording and hash. */
  const unanswered: string[] = []
  /** What gave the answers. */
  const answeredBy = new Set<string>()
  const find = (recording: string, messages: readonly { content: string }[]): Answer => {
    const hash = hashPrompt(messages)
    const answer = answers[hash]
    if (answer === undefined) {
      unanswered.push(`${recording} ${hash}`)
      keepPrompt(`${recording}.${hash}`, messages)
      throw new AppError('ai_failed', `Prompt ${hash} of ${recording} has no answer.`)
    }
    answeredBy.add(answer.by)
    return answer
  }
  return {
    recordings,
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

function toModelAnswer({ continues = false, steps, entries }: Answer): unknown {
  if (entries !== undefined) {
    return { entries: entries.map(([first, title, chapter = '']) => ({ first, title, chapter })) }
  }
  return { continues, steps: (steps ?? []).map(([first, last, title]) => ({ first, last, title, description: '' })) }
}

/** Names a prompt by its content, without the rule on callouts, which are not scored. */
export function hashPrompt(messages: readonly { content: string }[]): string {
  const scored = messages.map((message) => ({ ...message, content: message.content.replace(CALLOUTS_RULE, '') }))
  return createHash('sha256').update(JSON.stringify(scored)).digest('hex').slice(0, HASH_CHARS)
}

/** Writes a prompt without an answer, where a folder for such is named. */
export function keepPrompt(name: string, messages: readonly { content: string }[]): void {
  if (PROMPTS_DIR === '') return
  mkdirSync(PROMPTS_DIR, { recursive: true })
  writeFileSync(join(PROMPTS_DIR, `${name}.txt`), messages.map(({ content }) => content).join('\n\n'))
}
