import type { Sentence } from './sentences.ts'

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
  new RegExp(
    `^(?:so |and )?(?:the goal of )?this (?:\\w+ )?${VIDEO} (?:shows|will show|explains|will explain|teaches|is about|covers|will cover)\\b`,
  ),
  /\b(?:this|it) (?:takes|has|needs) (?:only |just )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten) (?:\w+ )?(?:steps|parts)\b/,
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
const MAX_WORDS = 30

/** True where a sentence only greets, announces or counts what the video shows, or takes leave: nothing to follow. */
export function isFraming({ words }: Pick<Sentence, 'words'>): boolean {
  const said = words.join(' ')
  return words.length <= MAX_WORDS && FRAMES.some((frame) => frame.test(said))
}

/** What is said beside the framing; all of it where nothing else is. */
export function withoutFraming<Said extends Pick<Sentence, 'words'>>(sentences: readonly Said[]): readonly Said[] {
  const content = sentences.filter((sentence) => !isFraming(sentence))
  return content.length > 0 ? content : sentences
}
