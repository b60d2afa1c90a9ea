import { findAnnouncedVerb, isInstruction, readSentences, type Sentence } from './sentences.ts'

/** True where some words, of any language, tell what to do. */
export function instructs(text: string): boolean {
  const sentences = readSentences([{ id: '', startMs: 0, endMs: 0, text }], null)
  return sentences.some((sentence) => isInstruction(sentence) || findAnnouncedVerb(sentence) !== null)
}

const VIDEO = '(?:video|tutorial|lesson|session|module|chapter|course|guide|demo|demonstration|clip|lecture|episode)'
const PLAN =
  "(?:(?:i|we|you)(?:'ll| will| shall|'re going to| are going to|'m going to| am going to|'re gonna|'m gonna| want to)|let's|i(?:'d| would) like to|(?:we|i)(?:'re|'m| are| am) \\w+ing)"

/** What is said about the video itself, or to greet and take leave, in lower case and without punctuation. */
const FRAMES: readonly RegExp[] = [
  /^(?:so |well |ok |okay )?(?:hello|hi|hey|greetings|dear (?:friends|learners|viewers|students)|good (?:morning|afternoon|evening))\b/,
  /\bwelcome (?:back )?to\b|\bwelcome (?:back |everyone|everybody|friends)/,
  /\bmy name is\b/,
  new RegExp(`\\bin (?:this|today's) (?:\\w+ ){0,2}${VIDEO} (?:\\w+ ){0,3}?${PLAN}\\b`),
  new RegExp(`\\b${PLAN} (?:\\w+ ){1,12}in this (?:\\w+ ){0,2}${VIDEO}\\b`),
  new RegExp(`^(?:so |and |well |ok |okay )?today ${PLAN}\\b`),
  /^(?:and )?(?:then|next|after that|afterwards|finally|later|also) (?:we|i|you)(?:'ll| will| shall) (?:also )?(?:learn|study|discuss|cover|talk about|look at|see (?:how|what))\b/,
  /^(?:here )?(?:i|we) assume (?:that )?(?:you|the learner)\b/,
  new RegExp(`\\b(?:in|through) (?:another|a later|the next|an? advanced) (?:\\w+ ){0,2}${VIDEO}\\b`),
  new RegExp(
    `^(?:so |and )?(?:the goal of )?this (?:\\w+ )?${VIDEO} (?:shows|will show|explains|will explain|teaches|is about|covers|will cover)\\b`,
  ),
  /\b(?:this|it) (?:takes|has|needs) (?:only |just )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten) (?:\w+ )?(?:steps|parts)\b/,
  new RegExp(`\\bin this (?:\\w+ )?${VIDEO} (?:\\w+ ){0,4}(?:show|learn)\\b`),
  /\bthere are (?:\d+|two|three|four|five|six|seven|eight|nine|ten) (?:\w+ )?steps\b/,
  /\b(?:thanks|thank you)(?: \w+){0,3} for (?:watching|listening|joining|your attention)\b/,
  /^(?:so |ok |okay |and |well )?(?:thanks|thank you)(?: (?:very|so) much| a lot| everyone| everybody)?$/,
  /\bsee you (?:in the next|next|soon|again|later|then|there)\b/,
  /^(?:ok |okay |so |all right |alright )?(?:good ?bye|bye)\b/,
  /^(?:so |and |well |ok |okay )?(?:that's|that is|this is) (?:all|it)(?: for (?:today|now|this \w+))?$/,
  /\b(?:this|that|which|it) brings us to the end\b|\b(?:we have|we've) (?:come to|reached) the end of (?:this|the) /,
  /\b(?:subscribe to|hit the (?:like|subscribe)|like and subscribe)\b/,
]

/** Recognised speech without punctuation has lines of this many words; a longer one says something else as well. */
const FRAME_MAX_WORDS = 30

/** True where a sentence only greets, announces or counts what the video shows, or takes leave: nothing to follow. */
export function isFraming({ words }: Pick<Sentence, 'words'>): boolean {
  const text = words.join(' ')
  return words.length <= FRAME_MAX_WORDS && FRAMES.some((frame) => frame.test(text))
}

/** From this share of its words on, and without an instruction, a step only frames the video. */
const FRAMING_SHARE = 0.5

/** Checks whether sentences mostly greet, announce or take leave, and tell nothing to do. */
export function areFraming(sentences: readonly Sentence[]): boolean {
  const count = (some: readonly Sentence[]) => some.reduce((sum, { words }) => sum + words.length, 0)
  const frames = sentences.filter(isFraming)
  const others = sentences.filter((sentence) => !isFraming(sentence))
  const isMost = count(frames) > 0 && count(frames) >= FRAMING_SHARE * count(sentences)
  return isMost && !others.some((sentence) => isInstruction(sentence) || findAnnouncedVerb(sentence) !== null)
}

/** Returns the sentences without framing; all of them where there is nothing else. */
export function withoutFraming<Said extends Pick<Sentence, 'words'>>(sentences: readonly Said[]): readonly Said[] {
  const content = sentences.filter((sentence) => !isFraming(sentence))
  return content.length > 0 ? content : sentences
}
