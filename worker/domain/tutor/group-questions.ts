import { isOpposite } from './contradiction/exclusive-words.ts'
import { findWords, isAskingWord, isTerm, stemTerm } from './words/words.ts'

/** A question as it was asked. */
export interface AskedQuestion {
  id: string
  text: string
  /** A step, whichever way it is named; null for none. */
  place: string | null
  /** The position of the video, seconds; null where it is unknown. */
  timeS: number | null
  askedAtMs: number
}

/** Questions that ask the same. */
export interface AlikeQuestions<Asked extends AskedQuestion> {
  /** Oldest first. */
  questions: readonly Asked[]
  /** As it was asked; the wording that says best what all of them ask. */
  text: string
  /** The other wordings, the most frequent first. */
  otherTexts: readonly string[]
  /** Where most of them were asked. */
  place: string | null
}

/**
 * Cosine of two wordings, by the terms that they share, from which they are one question. "Where is the jack?" and "How
 * do I use the jack?" have 0.5, "How much torque?" and "What torque do the wheel nuts need?" 0.7.
 */
const MIN_LIKENESS = 0.6
/** Questions asked within about this time are at the same place, also where a step ends between them. */
const NEAR_S = 30
/** Groups that one wording is compared with, those first that share its rarest words. Bounds the work of thousands. */
const MAX_COMPARED = 100

/** All questions in the same words. */
interface Ask<Asked extends AskedQuestion> extends Wording {
  key: string
  questions: Asked[]
  /** By term; of length 1, or empty. */
  vector: ReadonlyMap<string, number>
  places: ReadonlySet<string>
  /** Sections of {@link NEAR_S}. */
  sections: ReadonlySet<number>
  /** Some of them belong to no place of the video. */
  isAnywhere: boolean
}

/**
 * Brings questions together that ask the same in like words at about the same place: the same step, or near in time.
 * Every question is in one group. Questions in the same words are always together, wherever they were asked; where no
 * word names anything ("What is this?"), those of one place. The order of what is given does not matter. The largest
 * group comes first.
 */
export function groupQuestions<Asked extends AskedQuestion>(questions: readonly Asked[]): AlikeQuestions<Asked>[] {
  const asks = weighTerms(collectAsks(questions))
  const groups: Ask<Asked>[][] = []
  const byTerm = new Map<string, number[]>()
  for (const ask of asks) {
    const found = findGroup(ask, groups, byTerm)
    if (found !== null) {
      groups[found]?.push(ask)
      continue
    }
    for (const term of ask.vector.keys()) {
      const founded = byTerm.get(term)
      if (founded === undefined) byTerm.set(term, [groups.length])
      else founded.push(groups.length)
    }
    groups.push([ask])
  }
  return groups.map(describeGroup).sort((left, right) => right.questions.length - left.questions.length)
}

/** Of the frequent wordings each founds a group before the rare ones look for theirs. */
function collectAsks<Asked extends AskedQuestion>(questions: readonly Asked[]): Ask<Asked>[] {
  const wordings = questions.toSorted(byAge).map((question) => ({ ...readWording(question.text), question }))
  const byKey = Map.groupBy(wordings, ({ words, isNaming, question }) =>
    isNaming ? words : `${words}\n${question.place ?? ''}`,
  )
  const asks = Array.from(byKey, ([key, alike]): Ask<Asked> => {
    const { question: _first, ...wording } = alike[0] as (typeof alike)[number]
    const same = alike.map(({ question }) => question)
    return {
      ...wording,
      key,
      questions: same,
      vector: new Map(),
      places: new Set(same.flatMap(({ place }) => place ?? [])),
      sections: new Set(same.flatMap(({ timeS }) => (timeS === null ? [] : Math.floor(timeS / NEAR_S)))),
      isAnywhere: same.some(({ place, timeS }) => place === null && timeS === null),
    }
  })
  return asks.sort((left, right) => right.questions.length - left.questions.length || compare(left.key, right.key))
}

/** A term counts the more, the fewer wordings have it. */
function weighTerms<Asked extends AskedQuestion>(asks: readonly Ask<Asked>[]): Ask<Asked>[] {
  const frequency = new Map<string, number>()
  for (const { terms } of asks) for (const term of terms.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  return asks.map((ask) => {
    const weights = [...ask.terms].map(([term, weight]) => {
      return [term, weight * Math.log(2 + asks.length / (frequency.get(term) ?? 1))] as const
    })
    const length = Math.hypot(...weights.map(([, weight]) => weight))
    const rarestFirst = weights.sort((left, right) => right[1] - left[1] || compare(left[0], right[0]))
    return { ...ask, vector: new Map(rarestFirst.map(([term, weight]) => [term, weight / length])) }
  })
}

/** Index of the group whose founder is likest; null where none is like enough. */
function findGroup<Asked extends AskedQuestion>(
  ask: Ask<Asked>,
  groups: readonly (readonly Ask<Asked>[])[],
  byTerm: ReadonlyMap<string, readonly number[]>,
): number | null {
  let best: number | null = null
  let bestLikeness = MIN_LIKENESS
  for (const index of listCandidates(ask, byTerm)) {
    const founder = groups[index]?.[0]
    const likeness = founder === undefined || !isNear(ask, founder) ? 0 : measureLikeness(ask.vector, founder.vector)
    const isBetter =
      likeness > bestLikeness || (likeness === bestLikeness && index < (best ?? Number.POSITIVE_INFINITY))
    if (isBetter && founder !== undefined && !asksOpposite(ask, founder)) {
      best = index
      bestLikeness = likeness
    }
  }
  return best
}

function listCandidates(
  { vector }: Pick<Ask<AskedQuestion>, 'vector'>,
  byTerm: ReadonlyMap<string, readonly number[]>,
): ReadonlySet<number> {
  const found = new Set<number>()
  for (const term of vector.keys()) {
    for (const index of byTerm.get(term) ?? []) {
      found.add(index)
      if (found.size === MAX_COMPARED) return found
    }
  }
  return found
}

type Places = Pick<Ask<AskedQuestion>, 'places' | 'sections' | 'isAnywhere'>

function isNear(left: Places, right: Places): boolean {
  if (left.isAnywhere || right.isAnywhere) return true
  if ([...left.places].some((place) => right.places.has(place))) return true
  return [...left.sections].some((section) =>
    [section - 1, section, section + 1].some((near) => right.sections.has(near)),
  )
}

/** "How do I turn it on?" has most words of "How do I turn it off?", and another answer. */
function asksOpposite(left: Pick<Wording, 'stems'>, right: Pick<Wording, 'stems'>): boolean {
  const own = (stems: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...stems].filter((stem) => !others.has(stem))
  const rightOnly = own(right.stems, left.stems)
  return own(left.stems, right.stems).some((stem) => rightOnly.some((other) => isOpposite(stem, other)))
}

function measureLikeness(left: ReadonlyMap<string, number>, right: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const [term, weight] of left) sum += weight * (right.get(term) ?? 0)
  return sum
}

function describeGroup<Asked extends AskedQuestion>(asks: readonly Ask<Asked>[]): AlikeQuestions<Asked> {
  const typical = findTypical(asks)
  const textOf = ({ questions: [first] }: Ask<Asked>) => (first as Asked).text
  const otherTexts = asks.filter((ask) => ask !== typical).map(textOf)
  const questions = asks.flatMap((ask) => ask.questions).sort(byAge)
  const byPlace = [...Map.groupBy(questions, ({ place }) => place)]
  // Of equally frequent ones the one that came first.
  const [place] = byPlace.reduce((best, each) => (each[1].length > best[1].length ? each : best))
  return { questions, text: textOf(typical), otherTexts, place }
}

/** What sums of weights may differ by and still be the same. */
const ROUNDING = 1e-9

/**
 * Finds the question that has most in common with the others; questions that were asked more often count more. A tie,
 * which every group of two is, goes to the shorter one.
 */
function findTypical<Asked extends AskedQuestion>(asks: readonly Ask<Asked>[]): Ask<Asked> {
  const centre = new Map<string, number>()
  for (const { vector, questions } of asks) {
    for (const [term, weight] of vector) centre.set(term, (centre.get(term) ?? 0) + weight * questions.length)
  }
  return asks.reduce((best, ask) => {
    const gain = measureLikeness(ask.vector, centre) - measureLikeness(best.vector, centre)
    const isShorter = ask.words.length < best.words.length
    return gain > ROUNDING || (gain > -ROUNDING && isShorter) ? ask : best
  })
}

function byAge(left: AskedQuestion, right: AskedQuestion): number {
  return left.askedAtMs - right.askedAtMs || compare(left.id, right.id)
}

/** By code units, so that it is the same in every language. */
function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right)
}

/** This many words distinguish one question from another; the rest of a long one adds nothing. */
const MAX_TERMS = 40
/** Weight of words that only ask, and of the kind of question, relative to a word that names something. */
const ASKING_WEIGHT = 0.3
const KIND_WEIGHT = 0.8

/** Words by which questions ask for nothing in particular, beside those of the tutor; some as people type them. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'find know understand see look help please hear follow sure able try cant dont doesnt didnt wont isnt im whats wheres hows'
    .split(' ')
    .map(stemTerm),
)
const KINDS: Readonly<Record<string, RegExp | null>> = {
  where: null,
  when: null,
  why: null,
  who: null,
  /** Before one of these, "how" asks for a way; "how tight" asks for a degree. */
  how: /^(?:to|do|does|did|can|could|should|would|will|is|are|was|i|you|we)$/,
  /** With one of these behind it, "what" asks for a meaning; "what pressure" asks for the pressure. */
  what: /^(?:is|are|was|were|does|do|did)$/,
}

/** A question as it can be compared. */
interface Wording {
  /** Its words without marks and casing. Alike for questions that are the same but for them. */
  words: string
  /** Whether a word of it names something. "What is this?" has another meaning at each place. */
  isNaming: boolean
  /** The stems of what it asks about and what kind of question it is, each once, with how much each kind of term counts. */
  terms: ReadonlyMap<string, number>
  /** Of all of its first words. */
  stems: ReadonlySet<string>
}

/** Reads what a question asks. */
function readWording(text: string): Wording {
  const words = findWords(text)
  const stems = [...new Set(words.filter(isTerm).map(stemTerm))].slice(0, MAX_TERMS)
  const isAsking = (stem: string) => isAskingWord(stem) || EMPTY_WORDS.has(stem)
  const terms = new Map(stems.map((stem) => [stem, isAsking(stem) ? ASKING_WEIGHT : 1]))
  const isNaming = [...terms.values()].includes(1)
  const kind = findKind(words)
  if (isNaming && kind !== null) terms.set(`?${kind}`, KIND_WEIGHT)
  return {
    words: words.join(' ') || text.trim(),
    isNaming,
    terms: isNaming ? terms : new Map(),
    stems: new Set(words.slice(0, MAX_TERMS).map(stemTerm)),
  }
}

/** What the first word of questions in it asks for; null where it asks for a thing, or is no such question. */
function findKind(words: readonly string[]): string | null {
  for (const [index, word] of words.entries()) {
    const asking = word.replace(/'?(?:s|re)$/, '')
    if (Object.hasOwn(KINDS, word)) return KINDS[word]?.test(words[index + 1] ?? '') === false ? null : word
    if (Object.hasOwn(KINDS, asking)) return asking
  }
  return null
}
