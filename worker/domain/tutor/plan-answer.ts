import type { InterfaceLanguage } from '#contract/languages.ts'
import type { AnswerEnd, AnswerMeta, Citation, EarlierTurn } from '#contract/tutor.ts'
import * as m from '#messages/pages'
import { estimateTokens, showClock } from '#worker/domain/prompt-data.ts'
import { isFraming } from '#worker/domain/step/extractive/framing.ts'
import type { Sentence } from '#worker/domain/step/extractive/sentences.ts'
import type { SaidSegment } from '#worker/ports/language-model.ts'
import { chooseNotes, quoteNote } from './answer-notes.ts'
import { chooseLines, quoteLines } from './answer-screen.ts'
import { checkQuotes, cleanAnswer } from './check-answer.ts'
import { asksForUnknown, canAnswer } from './find-shown.ts'
import { readAround, type ShownSegment, type TutorIndex, type TutorStep } from './open-index.ts'
import { MAX_SEGMENT_CHARS } from './prompts/answer-question.v4.ts'
import { findTextLanguage, languageOfQuestion, readQuickPrompt } from './question-language.ts'
import { type QuotedSentence, quoteFrom, quoteMoments } from './quote-moments.ts'
import {
  ANSWERABLE_FLOOR,
  type Asked,
  judgeAnswerable,
  matchTitle,
  type Ranking,
  rankPassages,
} from './rank-passages.ts'
import { type FollowUp, GIVES_CAUSE, readFollowUp } from './read-question.ts'
import { stemTerm } from './words/words.ts'

/** A question with the turns before it, oldest first. */
export interface AskedInTurn extends Asked {
  earlier?: readonly EarlierTurn[]
}

/** An answer of the tutor. */
export interface TutorAnswer {
  /** Plain text for the chat. */
  text: string
  /** False where the tutor says that the video does not cover the question. */
  isCovered: boolean
  /** What the text rests on; empty for answers from steps. */
  sentences: readonly QuotedSentence[]
  /** The step to look at; null where there is none. */
  step: Pick<TutorStep, 'id' | 'title' | 'start'> | null
  /** Up to which second the video was known; left out where all of it was. */
  knownUntil?: number
  /** Of the text, BCP 47; left out where it is to be found in the text itself. */
  language?: string
  /** The trainer's own answer; nothing of the video stands beside it. Left out for the tutor's. */
  trainer?: NonNullable<AnswerMeta['trainer']>
  /** Sentences were left out; the text has an ellipsis in their place. Left out where there are none. */
  hasGap?: boolean
}

/** An answer as it was sent. */
export interface PublishedAnswer {
  answer: TutorAnswer
  /** `broken`: only a part was sent. */
  end: AnswerEnd
  /** `steps`, `extractive`, `trainer` or the model's name. */
  by: string
}

/** Sends an answer that is known as a whole; a piece is a paragraph. */
export function publishWhole(answer: TutorAnswer, by: string, publish: (piece: string) => void): PublishedAnswer {
  for (const piece of answer.text.split(/(?<=\n\n)/)) publish(piece)
  return { answer, end: 'complete', by }
}

/** The answer without a model, and the segments that a model would be shown. */
export interface AnswerPlan {
  /** The question as it was asked; a refusal is written in its language. */
  question: string
  /** The answer where no model is asked, and where one fails. */
  whole: TutorAnswer
  /** Where {@link whole} comes from. */
  by: 'steps' | 'extractive' | 'trainer'
  /**
   * The transcript, of a long one the best passages, in time order, then the notes of steps that may be read, then lines
   * of the screen; null where no model is to be asked: it has nothing to answer from.
   */
  shown: readonly ShownSegment[] | null
}

/**
 * Decides how a question is answered. Quick prompts are answered from the steps. Whether the video covers a question is
 * judged by words only where no model is asked: a model understands a question that shares none with its answer.
 */
export function planAnswer(index: TutorIndex, query: AskedInTurn): AnswerPlan {
  const progress = index.knownUntil === null ? {} : { knownUntil: index.knownUntil }
  const { question } = query
  const followUp = readFollowUp(question, query.earlier ?? [])
  const quick = answerQuickPrompt(index.steps, query) ?? answerFromSteps(index.steps, query, followUp)
  if (quick !== null) return { question, whole: { ...quick, ...progress }, by: 'steps', shown: null }
  const meant = followUp?.of ? { ...query, ...placeFollowUp(followUp) } : query
  const ranking = rankPassages(index, meant)
  const whole = { ...answerExtractively(index, { query: meant, ranking, followUp }), ...progress }
  const segments = [
    ...chooseSegments(index, ranking, isForeign(index, question) ? Number.POSITIVE_INFINITY : SHOWN_MAX_CHARS),
    ...chooseNotes(index, meant.question),
    ...chooseLines(index, { query: meant, ranking }),
  ]
  return { question, whole, by: 'extractive', shown: segments.length === 0 ? null : segments }
}

/** Answers from the steps where the last answer came from them, or where "what next?" is the first question. */
function answerFromSteps(steps: readonly TutorStep[], query: Asked, followUp: FollowUp | null): TutorAnswer | null {
  if (followUp === null || (followUp.kind !== 'next' && followUp.kind !== 'again')) return null
  const { kind, of } = followUp
  if (of === null) return kind === 'next' ? answerNext(steps, query) : null
  const step = of.meta?.citations.length === 0 ? steps.find(({ id }) => id === of.meta?.step?.id) : undefined
  if (step === undefined) return null
  if (kind === 'next') return answerNext(steps, { ...query, timeMs: null, stepId: step.id })
  return answer(describe(m.page_tutor_step_is, step, languageOfQuestion(query.question)), step)
}

/** A follow-up refers to the moment that was cited, not to where the viewer is now. */
function placeFollowUp({ question, of }: FollowUp): Asked {
  const [first] = of?.meta?.citations ?? []
  return first === undefined ? { question } : { question, timeMs: first.start * 1_000, stepId: null }
}

/** A video of a quarter of an hour; what a model is shown of a longer one has no more. */
const SHOWN_MAX_CHARS = 16_000
/**
 * Llama 3.3 takes 24,000 in and out together. Other scripts than Latin, and captions of a word each, take more than a
 * quarter of a token per character.
 */
const SHOWN_MAX_TOKENS = 16_000
/** Number, time and line break. */
const TOKENS_PER_SEGMENT = 10

/**
 * Whether a question is asked in another language than is spoken. Words rank no passages then, so that the model is
 * shown all that it can read.
 */
function isForeign({ language }: TutorIndex, question: string): boolean {
  const asked = findTextLanguage(question)
  return language !== null && asked !== null && !language.startsWith(asked)
}

function chooseSegments(index: TutorIndex, { passages }: Ranking, maxChars: number): SaidSegment[] {
  const { segments } = index
  if (passages.length === 0) return []
  if (takeWhatFits(segments, segments.keys(), maxChars).size === segments.length) return [...segments]
  const ranked = passages.flatMap((passage) => {
    const { firstSegment, lastSegment } = readAround(index, passage)
    return Array.from({ length: lastSegment + 1 - firstSegment }, (_, offset) => firstSegment + offset)
  })
  const chosen = takeWhatFits(segments, new Set(ranked), maxChars)
  return segments.filter((_, segmentIndex) => chosen.has(segmentIndex))
}

/** Takes segments in the order given until one would be too much. */
function takeWhatFits(segments: readonly SaidSegment[], order: Iterable<number>, maxChars: number): Set<number> {
  const taken = new Set<number>()
  let chars = 0
  let tokens = 0
  for (const index of order) {
    const text = (segments[index]?.text ?? '').slice(0, MAX_SEGMENT_CHARS)
    chars += text.length
    tokens += TOKENS_PER_SEGMENT + estimateTokens(text)
    if (chars > maxChars || tokens > SHOWN_MAX_TOKENS) break
    taken.add(index)
  }
  return taken
}

/**
 * Share of a question that a step has to have before a refusal names it; words that the video never says weigh most. With
 * chapters as steps, half of our questions, asked of another recording, name a step in 4 %, the other half in 3 %.
 */
const MIN_STEP_MATCH = 0.3

interface Searched {
  query: Asked
  ranking: Ranking
  followUp: FollowUp | null
}

/** Answers in the speaker's own words: quotes the transcript with its times, or says that the video has no answer. */
function answerExtractively(index: TutorIndex, searched: Searched): TutorAnswer {
  const { query, ranking } = searched
  const near = findNearStep(index, ranking)
  const { question } = query
  const none = () => answerNotCovered(question, near, index.knownUntil ?? undefined)
  const quotes = (asksForUnknown(index, searched) ? [] : quoteAnswer(index, searched))
    .map((quote) => checkQuotes(quote, index).filter(({ segmentIds }) => segmentIds.length > 0))
    .filter((quote) => quote.length > 0 && canAnswer(index, question, quote.map(({ text }) => text).join(' ')))
  const noted = quoteFromNotes(index, searched)
  const isUnanswered = quotes.length === 0 && noted.length === 0
  const shown = quoteLines(index, searched, { isAnswered: !isUnanswered })
  if (isUnanswered && shown.length === 0) return isAtEnd(index, searched) ? answerEnd(question) : none()
  const startMs = [...shown, ...quotes.flat(), ...noted][0]?.startMs ?? null
  const currentStep = near ?? findStepAt(index.steps, query) ?? findStepAt(index.steps, { timeMs: startMs })
  const step = currentStep === null ? null : { id: currentStep.id, title: currentStep.title, start: currentStep.start }
  const spoken = index.language === null ? {} : { language: index.language }
  const tag = languageOfQuestion(question)
  const text = [
    ...shown.map((line) => formatLine(line, tag)),
    ...quotes.map(formatQuote),
    ...noted.map((note) => formatNote(note, tag)),
  ].join('\n\n')
  return { text, isCovered: true, sentences: [...shown, ...quotes.flat(), ...noted], step, ...spoken }
}

/** The note that answers the question; a follow-up about a moment of the video has none. */
function quoteFromNotes(index: TutorIndex, { query, followUp }: Searched): QuotedSentence[] {
  const quoted = followUp?.of && followUp.kind !== 'joined' ? null : quoteNote(index, query.question)
  return quoted === null ? [] : [quoted]
}

function answerEnd(question: string): TutorAnswer {
  const language = languageOfQuestion(question)
  return { text: m.page_tutor_end(language), isCovered: true, sentences: [], step: null, language }
}

/** Checks whether "and then?" is asked of the last thing that is said. */
function isAtEnd({ knownUntil }: TutorIndex, { followUp }: Searched): boolean {
  return knownUntil === null && followUp?.kind === 'next' && (followUp.of?.meta?.citations.length ?? 0) > 0
}

/** Chooses the sentences to quote, by moment. */
function quoteAnswer(index: TutorIndex, { ranking, followUp }: Searched): QuotedSentence[][] {
  const starts = followUp?.of?.meta?.citations.map(({ start }) => start * 1_000) ?? []
  if (followUp?.of && followUp.kind !== 'joined') {
    return starts.length === 0 ? [] : [quoteOn(index, starts, { followUp, ranking })]
  }
  const own = new Set(followUp?.own.map(stemTerm))
  const isSaid = ranking.question.terms.every(({ stem, matches }) => !own.has(stem) || matches.length > 0)
  if (!isSaid || judgeAnswerable(ranking) < ANSWERABLE_FLOOR) return []
  return quoteMoments(index, ranking)
}

/** Quotes from the moment that was cited. Asked for a reason or a number, it quotes only sentences that have one. */
function quoteOn(
  index: TutorIndex,
  starts: readonly number[],
  { followUp: { kind }, ranking: { question } }: { followUp: FollowUp; ranking: Ranking },
): QuotedSentence[] {
  const { cause, number } = question.expects
  const isQuoted = ({ startMs }: Sentence) => starts.some((quotedMs) => Math.abs(quotedMs - startMs) <= 1)
  // The likeliest moment was cited first; others may stand anywhere.
  return quoteFrom(index, starts[0] ?? 0, (sentence, isAfter) => {
    const { words } = sentence
    if (kind === 'next') return isAfter && !isQuoted(sentence) && !isFraming(sentence)
    if (kind === 'again') return true
    if (cause) return words.some((word) => GIVES_CAUSE.test(word) && word !== 'so')
    if (number) return words.some((word) => /^\d/.test(stemTerm(word)))
    return true
  })
}

/**
 * What the tutor says where a video has no answer, in the language of the question, with the step that comes nearest.
 * @param knownUntil up to which second it was known; undefined for all of it
 */
export function answerNotCovered(question: string, step: TutorAnswer['step'], knownUntil?: number): TutorAnswer {
  const progress = knownUntil === undefined ? {} : { knownUntil }
  const tag = languageOfQuestion(question)
  const says = knownUntil === undefined ? m.page_tutor_not_covered(tag) : m.page_tutor_not_covered_so_far(tag)
  const hint = step === null ? '' : ` ${m.page_tutor_nearest_step({ step: quoteAt(step.title, step.start) }, tag)}`
  return { text: `${says}${hint}`, isCovered: false, sentences: [], step, language: tag, ...progress }
}

function quoteAt(text: string, seconds: number): string {
  return `“${cleanAnswer(text)}” (${showClock(seconds * 1_000)})`
}

/** The step that the question is about; null where none is near. */
function findNearStep({ steps }: TutorIndex, ranking: Ranking): TutorAnswer['step'] {
  const [best] = steps
    .map((step) => ({ step, match: matchTitle(step, ranking.question) }))
    .toSorted((left, right) => right.match - left.match)
  if (best === undefined || best.match < MIN_STEP_MATCH) return null
  const { id, title, start } = best.step
  return { id, title, start }
}

/** The step that is shown: by its id, or by the time. */
export function findStepAt(steps: readonly TutorStep[], { timeMs, stepId }: Omit<Asked, 'question'>): TutorStep | null {
  const named = steps.find((step) => step.id === stepId)
  if (named !== undefined || timeMs === undefined || timeMs === null) return named ?? null
  return steps.findLast((step) => step.start * 1_000 <= timeMs) ?? null
}

/** The quote comes first, because `cleanAnswer` removes lines that begin with a time. */
function formatQuote(sentences: readonly QuotedSentence[]): string {
  const spokenText = sentences.map(({ text }) => text).join(' ')
  return quoteAt(spokenText.replace(/\s+/g, ' '), (sentences[0]?.startMs ?? 0) / 1_000)
}

function formatLine({ text, startMs }: QuotedSentence, tag: InterfaceLanguage): string {
  return `“${cleanAnswer(text)}” (${m.page_tutor_on_screen({ time: showClock(startMs) }, tag)})`
}

function formatNote({ text, notes = [] }: QuotedSentence, tag: InterfaceLanguage): string {
  const [note] = notes
  return `“${cleanAnswer(text)}” (${m.page_tutor_note({ number: note?.stepNumber ?? 0 }, tag)})`
}

/** Steps that are listed before "and … more". */
const MAX_LISTED = 12
const PRAISE = '(?:ok|okay|ah|oh|great|perfect|cool|nice|super|awesome|got it|that helps|that helped|that was helpful)'
const THANKS = new RegExp(
  `^(?:${PRAISE} )*(?:thanks|many thanks|thank you|thx|cheers)(?: (?:a lot|so much|very much|again|for (?:your|the) help))?(?: ${PRAISE})?$`,
)

/**
 * Answers the two quick prompts of the chat from the steps alone, and thanks, which ask nothing.
 * @see specification §9
 * @returns null for every other question
 */
export function answerQuickPrompt(steps: readonly TutorStep[], query: Asked): TutorAnswer | null {
  const prompt = query.question
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (THANKS.test(prompt)) return { text: m.page_tutor_welcome('en'), isCovered: true, sentences: [], step: null }
  const quick = readQuickPrompt(query.question)
  if (quick === null) return null
  return quick.kind === 'next' ? answerNext(steps, query) : walkThrough(steps, query)
}

const inOrderOf = (steps: readonly TutorStep[]) => steps.toSorted((left, right) => left.start - right.start)

function answerNoSteps(tag: InterfaceLanguage): TutorAnswer {
  return { text: m.page_tutor_no_steps(tag), isCovered: false, sentences: [], step: null }
}

function answerNext(steps: readonly TutorStep[], query: Asked): TutorAnswer {
  const inOrder = inOrderOf(steps)
  const tag = languageOfQuestion(query.question)
  const last = inOrder.at(-1)
  if (last === undefined) return answerNoSteps(tag)
  const current = findStepAt(inOrder, query)
  const next = inOrder[current === null ? 0 : inOrder.indexOf(current) + 1]
  if (next !== undefined) return answer(describe(m.page_tutor_next_step_is, next, tag), next)
  return answer(describe(m.page_tutor_last_step, last, tag), last)
}

function walkThrough(all: readonly TutorStep[], query: Asked): TutorAnswer {
  const steps = inOrderOf(all)
  const tag = languageOfQuestion(query.question)
  const [first] = steps
  if (first === undefined) return answerNoSteps(tag)
  const current = findStepAt(steps, query)
  const lines = steps.slice(0, MAX_LISTED).map((step, index) => {
    const marker = step === current ? ` ${m.page_tutor_you_are_here(tag)}` : ''
    return `${index + 1}. ${cleanAnswer(step.title)} (${showClock(step.start * 1_000)})${marker}`
  })
  if (steps.length > MAX_LISTED) lines.push(m.page_tutor_more_steps({ count: steps.length - MAX_LISTED }, tag))
  const about = current === null ? '' : `\n\n${describe(m.page_tutor_you_are_at, current, tag)}`
  return answer(lines.join('\n') + about, current ?? first)
}

type Opening = (values: { step: string }, tag: InterfaceLanguage) => string

function describe(opening: Opening, { title, start, description }: TutorStep, tag: InterfaceLanguage): string {
  return `${opening({ step: quoteAt(title, start) }, tag)} ${cleanAnswer(description)}`.trim()
}

function answer(text: string, { id, title, start }: TutorStep): TutorAnswer {
  return { text, isCovered: true, sentences: [], step: { id, title, start } }
}

/** Everything about an answer that is not its text. Only what can be found in the text is cited. */
export function presentMeta(
  turnId: string,
  { text, isCovered, sentences, step, ...extraFields }: TutorAnswer,
): AnswerMeta {
  const citations = sentences.flatMap((sentence): Citation[] => {
    const quoted = cleanAnswer(sentence.text.replace(/\s+/g, ' '))
    if (quoted === '' || !text.includes(quoted)) return []
    const { segmentIds, startMs, notes = [], screenMs = [] } = sentence
    const isSpoken = segmentIds.length > 0 || notes.length + screenMs.length === 0
    return [
      ...(isSpoken ? [{ segmentIds: [...segmentIds], start: startMs / 1_000, sentence: quoted }] : []),
      ...notes.map(({ startMs: noteMs, ...note }) => {
        return { segmentIds: [], start: noteMs / 1_000, sentence: quoted, note }
      }),
      ...screenMs.map((shownMs): Citation => {
        return { segmentIds: [], start: shownMs / 1_000, sentence: quoted, isOnScreen: true }
      }),
    ]
  })
  const language = findTextLanguage(text)
  return { turnId, isCovered, citations, step, ...(language && { language }), ...extraFields }
}
