import { trimEndOf } from '#contract/trim-end.ts'
import { endsWithStop, type Sentence } from './sentences.ts'
import { capitalize, shortenAtWord } from './title-text.ts'

/** The spec allows 499; two sentences of speech seldom need more than this. */
const DESCRIPTION_MAX_CHARS = 280
const MIN_SENTENCE_WORDS = 5
const SENTENCES = 2
const FILLER_START =
  /^(?:(?:so|now|okay|ok|alright|all right|well|um|uh|and|but|then|yeah|yes|right|oh|hello|hi)\b[,.!]?\s+)+/i

/** Words of unpunctuated speech that stand for two sentences. */
const RUN_ON_WORDS = 30

/** Quotes the first sentences of a step that say something, cleaned of fillers, ending with a full stop. */
export function describeStep(sentences: readonly Sentence[]): string {
  const [opening] = sentences
  if (opening !== undefined && !endsWithStop(opening.text)) return describeRunOn(sentences)
  const statements = sentences.filter((sentence) => sentence.words.length >= MIN_SENTENCE_WORDS && !sentence.isQuestion)
  const quoted = (statements.length > 0 ? statements : sentences)
    .slice(0, SENTENCES)
    .map((sentence) => cleanQuote(sentence.text))
  const [first = ''] = quoted
  const both = quoted.join(' ')
  return both.length <= DESCRIPTION_MAX_CHARS ? both : closeQuote(shortenAtWord(first, DESCRIPTION_MAX_CHARS))
}

/** Without punctuation the ends of sentences are unknown, so the first words are quoted in one go. */
function describeRunOn(sentences: readonly Sentence[]): string {
  const words = sentences.flatMap((sentence) => sentence.text.split(/\s+/))
  return cleanQuote(shortenAtWord(words.slice(0, RUN_ON_WORDS).join(' '), DESCRIPTION_MAX_CHARS))
}

function cleanQuote(text: string): string {
  const clean = text
    .replace(/\s+/g, ' ')
    .replace(/\b(?:um|uh|you know),?\s+/gi, '')
    .trim()
  return closeQuote(capitalize(clean.replace(FILLER_START, '')))
}

function closeQuote(text: string): string {
  const bare = trimEndOf(text, /[\s,;:…–-]/)
  return bare === '' || endsWithStop(bare) ? bare : `${bare}.`
}
