import { trimEndOf } from '#worker/domain/trim-end.ts'
import { withoutFraming } from './framing.ts'
import { joinUnspaced, type Lexicon } from './lexicon.ts'
import { endsWithStop, findAnnouncedVerb, isInstruction, type Sentence } from './sentences.ts'
import { capitalize, shortenAtWord } from './title-ideas.ts'

/** The spec allows 499; a few sentences of speech seldom need more than this. */
const DESCRIPTION_MAX_CHARS = 280
const MIN_SENTENCE_WORDS = 5
/** "Click Save." says what to do as well. */
const MIN_DIRECTION_WORDS = 2
/** Sentences of a description. */
const MOST = { statements: 2, instructions: 3 }
const FILLER_START =
  /^(?:(?:so|now|okay|ok|alright|all right|well|um|uh|and|but|then|yeah|yes|right|oh|hello|hi)\b[,.!]?\s+)+/i
const ORDER_START =
  /^(?:first(?: of all)?|second(?:ly)?|third(?:ly)?|next|after (?:that|this)|afterwards|finally|lastly|last of all),\s+/i
/** "The end of the paper must point to the front" says what to do as well. */
const SAYS_WHAT_MUST_BE = /\b(?:must|should|has to|have to|needs? to|make sure|be sure)\b/i

/** No one announces a step in more; a hostile text of a megabyte is one sentence. */
const ANNOUNCEMENT_MAX_WORDS = 100

/** Words of unpunctuated speech that stand for two sentences. */
const RUN_ON_WORDS = 30

/**
 * Says how a step is done: quotes its instructions, or its first sentences where it has none, without what only greets
 * or announces, and without "next, you". Ends with a full stop.
 */
export function describeStep(allSentences: readonly Sentence[]): string {
  const sentences = withoutFraming(allSentences)
  if (!isPunctuated(sentences))
    return quoteRunOn(sentences, (each, index) => (index === 0 ? dropLead(readQuotable(each)) : each.text))
  const quoted = chooseQuotes(sentences).map((each) => cleanQuote(dropLead(each), each.sentence.lexicon))
  while (quoted.length > 1 && quoted.join(' ').length > DESCRIPTION_MAX_CHARS) quoted.pop()
  return closeQuote(shortenAtWord(quoted.join(' '), DESCRIPTION_MAX_CHARS))
}

/**
 * Quotes the first sentences of what its writer has not described: the later part of a step that was too long, whose
 * instructions may belong to the description of the whole. Ends with a full stop.
 */
export function quoteOpening(allSentences: readonly Sentence[]): string {
  const sentences = withoutFraming(allSentences)
  if (!isPunctuated(sentences)) return quoteRunOn(sentences, ({ text }) => text)
  const statements = sentences.filter((sentence) => sentence.words.length >= MIN_SENTENCE_WORDS && !sentence.isQuestion)
  const quoted = (statements.length > 0 ? statements : sentences)
    .slice(0, MOST.statements)
    .map(({ text, lexicon }) => cleanQuote(text, lexicon))
  const [first = ''] = quoted
  const both = joinUnspaced(quoted.join(' '))
  return both.length <= DESCRIPTION_MAX_CHARS ? both : closeQuote(shortenAtWord(first, DESCRIPTION_MAX_CHARS))
}

function isPunctuated([opening]: readonly Sentence[]): boolean {
  return opening === undefined || endsWithStop(opening.text)
}

/** Without punctuation the ends of sentences are unknown, so the first words are quoted in one go. */
function quoteRunOn(sentences: readonly Sentence[], read: (sentence: Sentence, index: number) => string): string {
  const words = sentences.flatMap((sentence, index) => read(sentence, index).split(/\s+/))
  const quote = shortenAtWord(words.slice(0, RUN_ON_WORDS).join(' '), DESCRIPTION_MAX_CHARS)
  return cleanQuote(quote, sentences[0]?.lexicon ?? null)
}

/** A sentence, and where its verb stands if it announces what to do. */
interface Quotable {
  sentence: Sentence
  verbIndex: number | null
}

/** The instructions of a step, a lone one with the statement after it; where there are none, its first statements. */
function chooseQuotes(sentences: readonly Sentence[]): readonly Quotable[] {
  const said = sentences.filter((sentence) => !sentence.isQuestion).map(readQuotable)
  const statements = said.filter((each) => {
    const least = isDirection(each) ? MIN_DIRECTION_WORDS : MIN_SENTENCE_WORDS
    return each.sentence.words.length - (each.verbIndex ?? 0) >= least
  })
  if (statements.length === 0) return sentences.slice(0, MOST.statements).map(readQuotable)
  const first = statements.findIndex(isDirection)
  if (first === -1) return statements.slice(0, MOST.statements)
  const directions = statements.filter((each) => isDirection(each) || SAYS_WHAT_MUST_BE.test(each.sentence.text))
  return directions.length > 1
    ? directions.slice(0, MOST.instructions)
    : statements.slice(first, first + MOST.statements)
}

function readQuotable(sentence: Sentence): Quotable {
  const isReadable = sentence.words.length <= ANNOUNCEMENT_MAX_WORDS
  return { sentence, verbIndex: isReadable ? findAnnouncedVerb(sentence) : null }
}

function isDirection({ sentence, verbIndex }: Quotable): boolean {
  return verbIndex !== null || isInstruction(sentence)
}

/** "Next, you add the tomatoes" as an instruction: "add the tomatoes". */
function dropLead({ sentence, verbIndex }: Quotable): string {
  if (verbIndex === null) {
    return sentence.lexicon === null ? sentence.text.replace(FILLER_START, '').replace(ORDER_START, '') : sentence.text
  }
  const words = sentence.text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  return words.slice(verbIndex).join(' ')
}

/** Fillers are known of English alone; "um" is a word of others. */
function cleanQuote(text: string, lexicon: Lexicon | null): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (lexicon !== null) return closeQuote(line.charAt(0).toLocaleUpperCase(lexicon.language) + line.slice(1))
  const clean = line.replace(/\b(?:um|uh|you know),?\s+/gi, '')
  return closeQuote(capitalize(clean.replace(FILLER_START, '')))
}

function stopAfter(text: string): string {
  if (/\p{Script=Han}$/u.test(text)) return '。'
  return /\p{Script=Devanagari}$/u.test(text) ? '।' : '.'
}

function closeQuote(text: string): string {
  const bare = trimEndOf(joinUnspaced(text), /[\s,;:…–-]/)
  return bare === '' || endsWithStop(bare) ? bare : `${bare}${stopAfter(bare)}`
}
