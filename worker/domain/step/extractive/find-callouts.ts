import { STEP_HARD_LIMITS } from '#contract/limits.ts'
import type { Callout, ProposedCallout } from '#contract/step.ts'
import type { SaidSegment, StepDraft } from '#worker/ports/language-model.ts'
import { cleanText } from './name-step.ts'
import { type Sentence, splitWords, stemContentWords } from './sentences.ts'
import { wordSet } from './word-lists.ts'

/** Longer sentences are several that the recogniser has not divided, or explain; a cue concerns some of them only. */
const SENTENCE_MAX_WORDS = 25
/** A cue with fewer other words only announces the next sentence. */
const TEXT_MIN_WORDS = 3

/** What speakers begin with before they say what matters. */
const LEAD_IN =
  /^(?:(?:so|now|and|but|okay|ok|well|also|then|again|first|all right|alright|please|caution|warning|(?:pro |quick )?tip)\b[,:]?\s+)+/i
/** Where an imperative may begin: at the start, or after its condition. */
const ORDER = String.raw`(?:^|[,;:] |\b(?:and|so|but|please|also) )`
/** A prohibition because of a danger, not as a figure of speech. */
const RISKY =
  '(?:touch|open(?! source)|pull|look into|drink|use(?! (?:more|too))|bend|turn|unplug|put|pour|get under|leave|let|lean|lift|remove|breathe|stand|reach|tighten|close|disconnect|mix|cut|hold|eat|inhale|switch|talk|move|force|drop|press down|test|point|block|run|carry|store|share|click|delete|wash|spray|heat|freeze|climb|step|work on)'

const WARNINGS: readonly RegExp[] = [
  /\bbe (?:very |really |extra |extremely )?careful(?:$|[,.;:!]| (?:to|not|with|when|if|here|because|while|as|about|that|around|what|which)\b)/,
  /^(?:careful|caution|warning|danger|attention)[,:]/,
  /\bwatch (?:out\b|your (?:fingers?|hands?|head|eyes?|step)\b)/,
  new RegExp(String.raw`${ORDER}(?:never|do not|don't) ${RISKY}\b`),
  /\b(?:is|are|gets?|may be|becomes?)(?: very| still| extremely| really| quite)? (?:hot|sharp|toxic|poisonous|flammable|corrosive|slippery|under pressure)\b(?! topic)/,
  /\b(?:can|could|may|might|will) (?:\w+ )?(?:(?:burn|hurt|injure|cut|crush|shock) (?:you|your)\b|damage\b|catch fire|explode)/,
  /\b(?:it|they|this|that) (?:can|could|may|might|will) (?:break|crack)\b(?! (?:up|down|out))/,
  /\bwill (?:erase|delete|overwrite|wipe)\b|\b(?:cannot|can't|can not) be (?:undone|changed later|recovered|restored)\b|\bwill lose (?:everything|all your|your)\b/,
  new RegExp(String.raw`${ORDER}(?:always )?(?:wear|put on) (?:\w+ )?(?:gloves|goggles|glasses|a mask|an apron|ear)`),
]
/** Warnings of which one sentence says both. */
const WARNING_PAIRS: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\b(?:make sure|check)\b/,
    /\b(?:unplugged|disconnected|switched off|turned off|power(?: really)? is off|no power|cooled down|right model)\b/,
  ],
  [
    /\b(?:switch|turn) (?:off )?(?:the |it |your )?(?:power|mains|gas|electricity|heating|fryer)?\s?off\b/,
    /\b(?:first|before|fuse|hot)\b/,
  ],
]
/** Matches of a warning's cues that warn of nothing. */
const NO_WARNING =
  /\b(?:i|we|he|she|they)(?:'m| was| were| am| are)? (?:very )?careful\b|\bdon't (?:worry|forget|be afraid)\b|\bhot (?:topic|key)/

const TIPS: readonly RegExp[] = [
  /^(?:(?:pro|quick|small|little|good|handy|useful|final|last) )?tip[,:]/,
  /^(?:here's |here is )?(?:a|one|another|my)(?: \w+){0,2} (?:tip|trick)(?:[,:]| is\b| to\b| for\b)/,
  /, (?:a|one)(?: \w+){0,2} trick is to\b/,
  /^the trick is to\b/,
  /(?:^|, )it (?:really |also )?helps (?:if you|to (?!understand|think|know|remember|see|quickly|look))/,
  /, it helps you later\b/,
  /^it's (?:\w+ )?(?:easier|easiest) (?:if you|with an?)/,
  /, (?:that|which|this) makes (?:it|them) easier to\b|, that makes it easier$/,
]
/** What a tip is announced by, which its text does without. */
const TIP_LEAD =
  /^(?:here's |here is )?(?:one |a |another |my )?(?:(?:pro|quick|small|little|good|handy|useful) )*(?:tip|trick)(?: for [a-z ]+)?(?:[,:]\s*| is to\s+| to\s+)/i

const NUMBERS = 'two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|one|half|\\d+'
const DETERMINER = String.raw`(?:an?|some|your|the|${NUMBERS})`
/** Phrases before the things that a step needs. */
const NEEDS: readonly RegExp[] = [
  new RegExp(String.raw`\byou(?:'ll| will|'re going to| are going to)?(?: also| only| just)? need (?=${DETERMINER} )`),
  new RegExp(
    String.raw`(?:^|\b(?:now|then|next|first|and|so) )(?:grab|get|take|pick up|have ready) (?=${DETERMINER} )`,
  ),
  /\bwith (?=an? )/,
  /\b(?:put in|insert|screw in|install|fit|attach) (?=(?:an?|the|your) (?:new|spare|fresh) )/,
]
/** The words after the named things. */
const AFTER_NEED =
  /\b(?:to|for|that|which|so|before|in|on|at|if|when|because|with|from|by|lay|put|who|and (?=(?:put|check|press|lay|pull|let|hang|slide|write|turn|a little air)\b))\b|[.;:!?]/

const TOOLS =
  wordSet(`screwdriver wrench spanner hammer mallet plier pliers drill driver knife scissors scissor ruler level brush toothbrush
  cloth rag towel bucket jack key saw sandpaper multimeter tester tweezers crowbar funnel ladder flashlight torch pencil
  pen marker spatula whisk bowl pan pot mixer thermometer scale needle iron clamp vise chisel stapler cutter pump lever
  levers gauge headset cuff jar cup whetstone swab sponge broom vacuum tape-measure socket pick clip cable gloves goggles
  shovel rake roller syringe pipette magnifier soldering trowel squeegee wire-cutter ratchet`)
const PARTS =
  wordSet(`screw screws bolt bolts nut nuts washer washers plug plugs filter gasket seal o-ring battery batteries bulb fuse belt
  cartridge roll oil grease glue paint paper thread button blade blades tube tire tyre fitting flour yeast salt sugar
  butter eggs egg milk water bark soil descaler spirit vinegar detergent tape wire hinge hinges bracket brackets nails
  nail dowels dowel fabric lamp valve hose toner ink staples label labels chain pad pads lining sealant filler`)

/** Captions without punctuation may be longer; what holds that much is no quote. */
const QUOTE_MAX_CHARS = 500
/** Of the words of a callout that a model writes, how many its segment has to say. */
const SUPPORTED_SHARE = 2 / 3

/**
 * Proposes callouts for a step: those of a model as far as the segment that it names says them, with this segment as the
 * quote; where no model was asked, those of cue phrases.
 * @param drafts of the whole section
 * @param spoken the segments of the step
 */
export function proposeCallouts(
  drafts: readonly StepDraft[],
  spoken: readonly SaidSegment[],
  sentences: readonly Sentence[],
): ProposedCallout[] {
  if (drafts.every(({ callouts }) => callouts === undefined)) return findCallouts(sentences)
  const byId = new Map(spoken.map((segment) => [segment.id, segment]))
  const supported = drafts.flatMap(({ callouts = [] }) =>
    callouts.flatMap(({ kind, text, segmentId }) => {
      const segment = byId.get(segmentId)
      if (segment === undefined || (segment.unsure?.length ?? 0) > 0) return []
      const isQuotable = segment.text.length <= QUOTE_MAX_CHARS
      return isQuotable && isSupported(text, segment.text) ? [{ kind, text: cleanText(text), quote: segment.text }] : []
    }),
  )
  return dropRepeated(supported).slice(0, STEP_HARD_LIMITS.maxCallouts)
}

function isSupported(text: string, quote: string): boolean {
  const quoteStems = new Set(stemContentWords(splitWords(quote)))
  const stems = stemContentWords(splitWords(cleanText(text)))
  return stems.length > 0 && stems.filter((stem) => quoteStems.has(stem)).length >= stems.length * SUPPORTED_SHARE
}

/**
 * Finds what speakers warn of, name as needed or advise, by cue phrases of English. What is found stands as it was said;
 * of what is needed, the name alone.
 */
function findCallouts(sentences: readonly Sentence[]): ProposedCallout[] {
  const found = sentences.flatMap((sentence) => {
    const isUsable =
      !sentence.isQuestion && sentence.words.length <= SENTENCE_MAX_WORDS && (sentence.unsure?.size ?? 0) === 0
    return isUsable ? readCallouts(sentence.text) : []
  })
  return dropRepeated(found).slice(0, STEP_HARD_LIMITS.maxCallouts)
}

function dropRepeated(callouts: readonly ProposedCallout[]): ProposedCallout[] {
  const byName = new Map(callouts.map((callout) => [`${callout.kind} ${callout.text.toLowerCase()}`, callout]))
  return [...byName.values()]
}

function readCallouts(quote: string): ProposedCallout[] {
  const plain = quote.toLowerCase().replaceAll('’', "'")
  const withoutLead = plain.replace(LEAD_IN, '')
  const matches = (cues: readonly RegExp[]) => cues.some((cue) => cue.test(plain) || cue.test(withoutLead))
  if (matches(TIPS)) return phrase('tip', quote.replace(LEAD_IN, '').replace(TIP_LEAD, ''), quote)
  const isPaired = WARNING_PAIRS.some(([first, second]) => first.test(plain) && second.test(plain))
  const isWarning = (isPaired || matches(WARNINGS)) && !NO_WARNING.test(plain)
  return [
    ...(isWarning ? phrase('warning', quote.replace(LEAD_IN, ''), quote) : []),
    ...(isWarning && /\b(?:don't|do not|never)\b/.test(plain) ? [] : listNeeds(plain, quote)),
  ]
}

function phrase(kind: Callout['kind'], text: string, quote: string): ProposedCallout[] {
  const isShort = text.split(/\s+/).length < TEXT_MIN_WORDS
  if (isShort || text.length > STEP_HARD_LIMITS.calloutMaxChars) return []
  return [{ kind, text: capitalize(text), quote }]
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** The tools and parts that a sentence names as needed. */
function listNeeds(plain: string, quote: string): ProposedCallout[] {
  return NEEDS.flatMap((cue) => {
    const match = cue.exec(plain)
    if (match === null) return []
    const [named = ''] = plain.slice(match.index + match[0].length).split(AFTER_NEED)
    return named.split(/,| and /).flatMap((thing) => nameThing(thing.trim(), quote))
  })
}

const LEADING_DETERMINER = /^(?:an?|some|your|the|a little)\s+/
const NAME_MAX_WORDS = 6
/** Words that occur in actions, not in names of things. */
const NO_NAME = /\b(?:the|off|out|up|down|it|them|this|that)\b/

function nameThing(thing: string, quote: string): ProposedCallout[] {
  const name = thing.replace(LEADING_DETERMINER, '').trim()
  const words = name.split(/\s+/)
  if (words.length > NAME_MAX_WORDS || NO_NAME.test(name)) return []
  const last = words.findLast((word) => TOOLS.has(word) || PARTS.has(word))
  if (last === undefined) return []
  return [{ kind: TOOLS.has(last) ? 'tool' : 'part', text: capitalize(name), quote }]
}
