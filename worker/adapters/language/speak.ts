import type { LanguageTag } from '#contract/languages.ts'
import { AppError, faultOf } from '#worker/core/errors.ts'
import { logLine } from '#worker/log/log.ts'
import {
  ANSWER_MAX_TOKENS,
  JUDGE_MAX_TOKENS,
  NO_ANSWER,
  type Tokens,
  type TutorModel,
  type TutorReply,
} from '#worker/ports/language-model.ts'
import { askBooked, type ChatModel, makeStepWriter, makeTextRewriter, WHO } from './ask-model.ts'
import { readTokenStream } from './read-token-stream.ts'
import { makeTranslator } from './translate.ts'

/** Numbers of segments behind a sentence: `[3]`, `[3, 4]`; `[3][4]` are two. */
const SOURCES = /\[[ \t]*#?\d+(?:[ \t]*[,;–-][ \t]*#?\d+)*[ \t]*\]/g
/** A sentence continues behind brackets where one of these comes next. */
const GOES_ON = /[\s[.。]/
/** What the prompt asks a model to write where it finds no answer; small models spell it in their own way. */
const NONE = /^\W{0,4}NONE\W{0,4}$/
const NONE_ALONE = /^\W{0,4}none\W{0,4}$/i
/** … or with a reason before or behind it: "NONE: the video does not tell." */
const NONE_WITH_REASON = /^\W{0,4}NONE\W{0,4}[:.,;–—-]|[.:;,]\s\W{0,4}NONE\W{0,4}$/
/** List markers that models put before a line although the prompt asks for none. */
const BULLET = /^\s*(?:[-*•]\s+|\d{1,2}[.)]\s+)/
/** The words of the video that a sentence follows from, at its end. */
const QUOTE = /\{([^{}]*)\}\s*\.?$/
/** Five times the longest sentence that is pleasant to read; longer text without an end is no sentence. */
const MAX_SENTENCE_CHARS = 2_000

/**
 * Reads sentences out of a model's text as it comes: one a line, ending with the numbers of its segments in brackets.
 * Each is given as soon as it is whole, also where several stand in one line. A line that names no segments is passed
 * over, as are thoughts, but for the word that says that there is no answer.
 */
export async function* readSentences(tokens: AsyncIterable<string>): AsyncGenerator<TutorReply, void, undefined> {
  let text = ''
  for await (const piece of passOverThoughts(tokens)) {
    const { replies, rest } = takeSentences(text + piece)
    text = rest.length > MAX_SENTENCE_CHARS ? '' : rest
    yield* replies
  }
  yield* takeSentences(`${text}\n`).replies
}

/** Yields the tokens outside of `<think>…</think>`. */
async function* passOverThoughts(tokens: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let text = ''
  let mark = '<think>'
  for await (const token of tokens) {
    text += token
    for (let offset = text.indexOf(mark); offset !== -1; offset = text.indexOf(mark)) {
      if (mark === '<think>') yield text.slice(0, offset)
      text = text.slice(offset + mark.length)
      mark = mark === '<think>' ? '</think>' : '<think>'
    }
    const heldBack = countBegun(text, mark)
    if (mark === '<think>') yield text.slice(0, text.length - heldBack)
    text = text.slice(text.length - heldBack)
  }
  if (mark === '<think>') yield text
}

/** Counts the last characters that may be the beginning of a mark. */
function countBegun(text: string, mark: string): number {
  let count = Math.min(mark.length - 1, text.length)
  while (!mark.startsWith(text.slice(text.length - count))) count -= 1
  return count
}

function takeSentences(text: string): { replies: TutorReply[]; rest: string } {
  const lines = text.split('\n')
  const open = takeFromLine(lines.pop() ?? '', 'open')
  return {
    replies: [...lines.flatMap((line) => takeFromLine(line, 'whole').replies), ...open.replies],
    rest: open.rest,
  }
}

/** Takes the sentences of a line; of an open line, the text after the last surely complete one is the rest. */
function takeFromLine(line: string, kind: 'whole' | 'open'): { replies: TutorReply[]; rest: string } {
  const replies: TutorReply[] = []
  let begun = 0
  for (const { start, end, sources } of findSources(line)) {
    const next = skipStop(line, end)
    const isEnd = next === line.length ? kind === 'whole' : !GOES_ON.test(line[next] ?? '')
    if (!isEnd) continue
    replies.push(...readReply(line.slice(begun, start), sources))
    begun = next
  }
  const rest = line.slice(begun)
  return { replies: kind === 'whole' ? [...replies, ...readReply(rest, null)] : replies, rest }
}

/** Brackets with nothing but blanks between them belong together. */
function findSources(line: string): { start: number; end: number; sources: string }[] {
  const found: { start: number; end: number; sources: string }[] = []
  for (const { 0: sources, index } of line.matchAll(SOURCES)) {
    const last = found.at(-1)
    const end = index + sources.length
    if (last !== undefined && skipBlanks(line, last.end) === index)
      Object.assign(last, { end, sources: last.sources + sources })
    else found.push({ start: index, end, sources })
  }
  return found
}

function skipBlanks(line: string, from: number): number {
  let offset = from
  while (line[offset] === ' ' || line[offset] === '\t') offset += 1
  return offset
}

/** Skips blanks and the full stop that some models put after the brackets. */
function skipStop(line: string, from: number): number {
  let offset = skipBlanks(line, from)
  if (line[offset] === '.' || line[offset] === '。') offset += 1
  offset = skipBlanks(line, offset)
  return line[offset] === '\r' && offset + 1 === line.length ? offset + 1 : offset
}

/** @param sources null for the end of a line that names none */
function readReply(rawText: string, sources: string | null): TutorReply[] {
  const line = rawText.replace(BULLET, '').trim()
  const quote = QUOTE.exec(line)
  const text = quote === null ? line : line.slice(0, quote.index).trim()
  if ((sources === null ? NONE_ALONE : NONE).test(text)) return [NO_ANSWER]
  if (sources === null && NONE_WITH_REASON.test(text)) return [NO_ANSWER]
  if (sources === null || text === '') return []
  const segments = readNumbers(sources)
  return [quote === null ? { text, segments } : { text, segments, quote: (quote[1] ?? '').trim() }]
}

function readNumbers(sources: string): number[] {
  return [...new Set(Array.from(sources.matchAll(/\d+/g), ([digits]) => Number(digits)))]
}

/**
 * A model that answers where another one cannot: only before its first sentence, since a learner must not see two
 * beginnings, and not where the account's quota is used up, which is the same for both.
 */
function withSecondChoice(first: TutorModel, second: TutorModel): TutorModel {
  return {
    name: `${first.name}, ${second.name}`,
    async *answer(task, signal, meter) {
      let hasSpoken = false
      try {
        for await (const sentence of first.answer(task, signal, meter)) {
          hasSpoken = true
          yield sentence
        }
        return
      } catch (error) {
        const isHopeless = error instanceof AppError && error.code === 'ai_quota'
        if (hasSpoken || signal.aborted || isHopeless) throw error
        logLine('warn', 'tutor_second_choice', { model: first.name, ...faultOf(error) })
      }
      yield* second.answer(task, signal, meter)
    },
    // Judging has to be quick: a second model would come too late.
    judge: (...args) => first.judge(...args),
  }
}

/** Two models that are silent one after the other leave a second of the nine for what the video says itself. */
const FIRST_TOKEN_MS = 4_000
/** The slowest planned model takes 30 ms per token; a longer pause means that the model hangs. */
const NEXT_TOKEN_MS = 8_000

/**
 * The tutor by a model, sentence by sentence. The model is stopped when the caller aborts or stops reading, and when it
 * is silent for too long.
 */
function makeTutorModel({ name, stream, ask }: ChatModel): TutorModel {
  return {
    name,
    async *answer({ messages, moduleId }, signal, meter) {
      const booked = await meter?.book({ messages, maxTokens: ANSWER_MAX_TOKENS })
      let used: Tokens | null = null
      let hasSpoken = false
      const silence = new AbortController()
      const stop = AbortSignal.any([signal, silence.signal])
      let timer = setTimeout(() => silence.abort(), FIRST_TOKEN_MS)
      const received = () => {
        hasSpoken = true
        clearTimeout(timer)
        timer = setTimeout(() => silence.abort(), NEXT_TOKEN_MS)
      }
      const request = { messages, maxTokens: ANSWER_MAX_TOKENS, timeoutMs: FIRST_TOKEN_MS, signal: stop }
      try {
        const events = await stream(request, moduleId)
        const onUsage = (tokens: Tokens) => {
          used = tokens
        }
        yield* readSentences(each(readTokenStream(events, stop, onUsage), received))
        await booked?.settle(used)
      } catch (error) {
        if (!hasSpoken) await booked?.fail(error)
        if (!silence.signal.aborted) throw error
        throw new AppError('ai_timeout', `${WHO} fell silent.`, { cause: error })
      } finally {
        clearTimeout(timer)
      }
    },
    async judge({ messages }, signal, meter) {
      const request = { messages, maxTokens: JUDGE_MAX_TOKENS, timeoutMs: FIRST_TOKEN_MS, signal }
      const answer = await askBooked(ask, request, meter)
      return readJudgements(typeof answer === 'string' ? answer : '')
    },
  }
}

/** One judgement per line: the number of a sentence, and yes or no. */
const JUDGEMENT = /^\W{0,4}(\d{1,2})\W{1,4}(yes|no)\b/gim

/** Reads which sentences a model says yes to; both yes and no counts as no. */
export function readJudgements(answer: string): ReadonlySet<number> {
  const judged = Array.from(answer.replace(/^[\s\S]*<\/think>/, '').matchAll(JUDGEMENT), ([, number, word = '']) => {
    return { number: Number(number), isYes: word.toLowerCase() === 'yes' }
  })
  const denied = new Set(judged.filter(({ isYes }) => !isYes).map(({ number }) => number))
  return new Set(judged.map(({ number }) => number).filter((number) => !denied.has(number)))
}

/**
 * All that a language model does.
 * @param second answers questions where the first cannot
 * @param languages between which the first one translates
 */
export function languageServices(
  first: ChatModel,
  second: ChatModel | null = null,
  languages?: readonly LanguageTag[],
) {
  const tutorModel = makeTutorModel(first)
  return {
    stepWriter: makeStepWriter(first),
    textRewriter: makeTextRewriter(first),
    translator: makeTranslator(first, languages),
    tutorModel: second === null ? tutorModel : withSecondChoice(tutorModel, makeTutorModel(second)),
  }
}

async function* each(tokens: AsyncIterable<string>, onToken: () => void): AsyncGenerator<string, void, undefined> {
  for await (const token of tokens) {
    onToken()
    yield token
  }
}
