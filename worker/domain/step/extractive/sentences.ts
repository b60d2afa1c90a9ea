import type { SaidSegment } from '#worker/ports/language-model.ts'

/** Reads a list of words, as every such list in the code is written. @param others words that are added to it */
export function wordSet(list: string, others: Iterable<string> = []): ReadonlySet<string> {
  return new Set([...others, ...list.split(/\s+/)])
}

/** Words that say nothing about the topic: function words, fillers of speech and verbs that fit any sentence. */
export const STOP_WORDS =
  wordSet(`a about above across actually after again against ago all almost along already alright also although always am an and
another any anybody anyone anything anyway anywhere are aren't around as aside ask at away back bad basically be became
because become been before began begin behind being believe below best better between beyond big bit both bunch but by
call called came can can't cannot certain certainly come comes coming completely could couldn't course cuz did didn't do
does doesn't doing don't done down during each either else end ended enough especially etc even ever every everybody
everyone everything everywhere exactly example fact far feel few find fine first for forth forward found from front full
gave get gets getting give given gives giving go goes going gone gonna good got gotta great guess guy guys had half hand
happen happened happening happens hard has hasn't have haven't having he he'd he'll he's hello her here here's hers hey
hi him himself his hold hopefully how how's however huh i i'd i'll i'm i've idea if imagine in indeed inside instead
interested interesting into is isn't it it'd it'll it's its itself just keep kept kind kinda knew know known knows large
last lately later least less let let's lets like likely literally little long look looked looking looks lot lots made
main mainly make makes making many matter may maybe me mean means meant might mind mine more most mostly much must my
myself name namely near nearly need needed needs neither never new next nice no nobody none nope nor not nothing notice
now obvious obviously of off often oh ok okay old on once one ones only onto oops or order other others otherwise ought
our ours ourselves out outside over own part particular particularly people per perfect perhaps person place please plus
point possible possibly pretty previous probably put puts quick quickly quite rather real really reason remember right
said same saw say saying says second see seeing seem seems seen sense sent set several shall she she'd she'll she's
should shouldn't show shown side simple simply since single small so some somebody somehow someone something sometimes
somewhat somewhere soon sorry sort still stuff such super suppose sure take taken takes taking talk talked talking tell
tells ten tend terms than thank thanks that that'd that'll that's thats the their theirs them themselves then there
there's therefore these they they'd they'll they're they've thing things think thinking third this those though thought
three through throughout thus time times to today together told too took total totally toward towards tried trouble true
truly try trying turn turned turns two type uh um under understand unless unlike until up upon us use used useful uses
using usual usually various very video videos wait want wanted wants was wasn't watch way ways we we'd we'll we're we've
welcome well went were weren't what what's whatever when when's whenever where where's wherever whether which while who
who's whoever whole whom whose why why's will with within without won't wonder word words work worked working works
world worry would wouldn't wow wrong yeah year years yep yes yet you you'd you'll you're you've your yours yourself
yourselves zero laughs chuckles it’s different similar clear bye ha relevant multiple high low important main whole entire correct wrong
agrees minus plus quiet interesting ready available`)

const WORD = /[\p{L}\p{N}]+(?:[.'’_+#-][\p{L}\p{N}]+)*[+#]*/gu

/** The words of a text in lower case, apostrophes straightened, punctuation gone. */
export function splitWords(text: string): string[] {
  return (text.toLowerCase().match(WORD) ?? []).map((word) => word.replaceAll('’', "'"))
}

const STEM_RULES: readonly [RegExp, string][] = [
  [/'s$/, ''],
  [/ies$/, 'y'],
  [/sses$/, 'ss'],
  [/([^su])s$/, '$1'],
]
const SUFFIXES = readSuffixes(
  'ational:ate ization:ize isation:ize ation:ate ement: ment: ness: ingly: edly: ing: ed: er: or: ion: ly:',
)

/** Reads a list of suffixes, each with what takes its place. */
export function readSuffixes(list: string): [string, string][] {
  return list.split(/\s+/).map((rule) => rule.split(':') as [string, string])
}

/** A stem keeps at least this many letters, or unrelated short words would fall together. */
const MIN_STEM_CHARS = 3

/** A light suffix stripper: "creates", "creating" and "creation" fall together. Not for display. */
export function stemWord(word: string): string {
  if (word.length <= MIN_STEM_CHARS) return word
  let stem = word
  for (const [pattern, replacement] of STEM_RULES) stem = stem.replace(pattern, replacement)
  const hasRoot = (root: string) => root.length >= MIN_STEM_CHARS && /[aeiouy]/.test(root)
  const suffix = SUFFIXES.find(([ending]) => stem.endsWith(ending) && hasRoot(stem.slice(0, -ending.length)))
  if (suffix) stem = stem.slice(0, -suffix[0].length) + suffix[1]
  return stem.length > MIN_STEM_CHARS
    ? stem
        .replace(/([^aeiouylsz])\1$/, '$1')
        .replace(/e$/, '')
        .replace(/y$/, 'i')
    : stem
}

/** True for a word that can distinguish one topic from another. */
export function isContentWord(word: string): boolean {
  return word.length > 1 && !STOP_WORDS.has(word) && /\p{L}/u.test(word)
}

/** The stems of the content words of a text, in order, with repetition. */
export function stemContentWords(words: readonly string[]): string[] {
  return words.filter(isContentWord).map(stemWord)
}

/** One sentence of the narration, or one segment where the recogniser writes no punctuation. */
export interface Sentence {
  /** As it was said, with its punctuation and casing. */
  text: string
  words: string[]
  stems: string[]
  /** The segment at whose start a step that opens with this sentence begins. */
  segmentIndex: number
  startMs: number
  endMs: number
  /** Silence before the sentence, as the segments' times say it. */
  gapMs: number
  isQuestion: boolean
}

/** A word as it stands in its segment. */
type Token = Pick<Sentence, 'text' | 'segmentIndex' | 'startMs' | 'endMs'>

/** How a text ends whose sentence does. */
export const SENTENCE_END = /[.?!…]["'”’)\]]*$/
const ABBREVIATION = /^(?:e\.g|i\.e|etc|vs|mr|mrs|ms|dr|st|no|fig|approx|[a-z])\.$/i
/** Fewer sentence ends than one in so many words means no punctuation (speech has 10–25 words a sentence). */
const MAX_WORDS_PER_SENTENCE_END = 60

/** Reads segments as sentences; a sentence may begin and end inside a segment. */
export function readSentences(segments: readonly SaidSegment[]): Sentence[] {
  const tokens = segments.flatMap(tokenize)
  const ends = tokens.filter((token) => endsWithStop(token.text)).length
  const isPunctuated = ends * MAX_WORDS_PER_SENTENCE_END >= tokens.length
  const groups = groupTokens(tokens, isPunctuated)
  return groups.map((group, index) => makeSentence(group, segments, groups[index - 1]?.at(-1)))
}

function tokenize(segment: SaidSegment, segmentIndex: number): Token[] {
  const parts = segment.text.split(/\s+/).filter((part) => part !== '')
  const perCharMs = (segment.endMs - segment.startMs) / Math.max(1, parts.join(' ').length)
  let offset = 0
  return parts.map((text) => {
    const startMs = segment.startMs + offset * perCharMs
    offset += text.length + 1
    return { text, segmentIndex, startMs, endMs: Math.min(segment.endMs, startMs + text.length * perCharMs) }
  })
}

/** From the first word to the last. */
export function spokenMsOf(sentences: readonly Sentence[]): number {
  return Math.max(0, (sentences.at(-1)?.endMs ?? 0) - (sentences[0]?.startMs ?? 0))
}

/** True where a sentence ends; a full stop after an abbreviation is none. */
export function endsWithStop(text: string): boolean {
  return SENTENCE_END.test(text) && !ABBREVIATION.test(text.slice(text.lastIndexOf(' ') + 1))
}

function groupTokens(tokens: readonly Token[], isPunctuated: boolean): Token[][] {
  const groups: Token[][] = []
  let isOpen = false
  tokens.forEach((token, index) => {
    if (isOpen) groups.at(-1)?.push(token)
    else groups.push([token])
    isOpen = isPunctuated ? !endsWithStop(token.text) : token.segmentIndex === tokens[index + 1]?.segmentIndex
  })
  return groups
}

function makeSentence(tokens: Token[], segments: readonly SaidSegment[], before: Token | undefined): Sentence {
  const first = tokens[0] as Token
  const text = tokens.map((token) => token.text).join(' ')
  const words = splitWords(text)
  return {
    text,
    words,
    stems: stemContentWords(words),
    segmentIndex: nearestSegment(first, segments),
    startMs: first.startMs,
    endMs: (tokens.at(-1) as Token).endMs,
    gapMs: before === undefined ? 0 : Math.max(0, first.startMs - before.endMs),
    isQuestion: /\?["'”’)\]]*$/.test(text),
  }
}

function nearestSegment(first: Token, segments: readonly SaidSegment[]): number {
  const own = segments[first.segmentIndex] as SaidSegment
  const next = segments[first.segmentIndex + 1]
  const isNearerToNext = next !== undefined && next.startMs - first.startMs < first.startMs - own.startMs
  return isNearerToNext ? first.segmentIndex + 1 : first.segmentIndex
}
