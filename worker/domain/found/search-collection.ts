import type { LanguageTag } from '#contract/languages.ts'
import { MOMENTS_FOUND_MAX, STEPS_FOUND_MAX } from '#contract/limits.ts'
import type { MarkedText } from '#contract/search.ts'
import type { SharedStep } from '#contract/step.ts'
import type { Cue } from '#media/write-captions.ts'
import type { Context } from '#worker/core/context.ts'
import { IsolateCache } from '#worker/core/isolate-cache.ts'
import type { SharedMember } from '#worker/domain/collection/collection.ts'
import { listModulesById, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { countWords, markWords, readWantedWords } from '#worker/domain/search/search-words.ts'
import { indexOf, loadIndex } from '#worker/domain/tutor/answer-turn.ts'
import { findMoments, type OpenedTraining } from '#worker/domain/tutor/find-moments.ts'
import { openIndex, type TutorIndex } from '#worker/domain/tutor/open-index.ts'
import { digestTraining, pickTrainings, type TrainingDigest } from '#worker/domain/tutor/pick-trainings.ts'
import { type LearnerView, openLearnerView } from '#worker/domain/version/learner-view.ts'
import { type FoundAnswer, findAnswers } from './find-answers.ts'

type SearchContext = Pick<Context, 'db' | 'bucket' | 'nowMs'>

/** A step of a training, or a moment in it, that has what was asked for. */
export interface FoundPlace {
  member: SharedMember
  /** Title of the step, in the reader's language where it is translated; null where the training has none there. */
  step: MarkedText | null
  /** Name of its image; null where there is none. */
  image: string | null
  /** Seconds. */
  start: number
  /** What is said there, word for word; null where the words of the step were found. */
  quote: string | null
  /** The same in the reader's language; null where it is not translated. */
  translation: string | null
}

/** What the trainings of a collection have for some words. What their trainers have answered stands alone. */
export type FoundInCollection = FoundPlaces | { answers: FoundAnswer[] }

/** Where the trainings of a collection have some words. */
interface FoundPlaces {
  places: FoundPlace[]
  /** False: no step has the words, and what is there only comes near. */
  isCovered: boolean
  /** How many trainings were searched: those with a password are not. */
  memberCount: number
}

/** A digest is an index over what learners read and hear; live texts are read of these trainings alone. */
const OPENED_MAX = 6
/** Trainings whose texts are read for a question; of all others the digest is enough. */
export const HEARD_MAX = 3

/**
 * Finds where the trainings of a shared collection have what a person wants to do: what their trainers have answered to
 * it, or else steps that have all of the words, then what is said. Only what a learner of each training sees is read:
 * its published version, its visible time, and the languages that its owner switched on.
 */
export async function searchCollection(
  context: SearchContext,
  shared: readonly SharedMember[],
  { question, tag }: { question: string; tag: LanguageTag },
): Promise<FoundInCollection> {
  const answers = await findAnswers(context, shared, question)
  if (answers.length > 0) return { answers }
  const { opened, memberCount } = await openPicked(context, shared, { question, tag, max: OPENED_MAX })
  const words = readWantedWords(question)
  const steps = opened
    .flatMap((training) => findSteps(training, words))
    .toSorted((left, right) => right.rank - left.rank)
  const titled = steps.filter(({ rank }) => rank === TITLE_RANK)
  const moments = findMoments(
    opened.filter(({ indexes }) => indexes.length > 0),
    question,
  ).slice(0, MOMENTS_FOUND_MAX)
  const said = moments.filter(({ isCovered }) => isCovered).map(presentMoment)
  const others = steps.filter(({ rank }) => rank !== TITLE_RANK)
  const places = [...titled.map(({ place }) => place), ...said, ...others.map(({ place }) => place)]
  const isCovered = places.length > 0
  const shown = isCovered ? places : moments.map(presentMoment)
  return { places: listApart(shown).slice(0, STEPS_FOUND_MAX), isCovered, memberCount }
}

/** Opens the trainings whose words fit a question best. @param max of them */
export async function openPicked(
  context: SearchContext,
  shared: readonly SharedMember[],
  { question, tag, max }: { question: string; tag: LanguageTag; max: number },
): Promise<{ opened: OpenedMember[]; memberCount: number }> {
  // Those with a password have no id here, and nothing of them is read.
  const open = shared.filter(({ isLocked }) => !isLocked)
  const members = new Map(open.map((member) => [member.id, member]))
  const modules = await listModulesById(context.db, [...members.keys()])
  const digests = await Promise.all(modules.map((module) => loadDigest(context, module, tag)))
  const picked = pickTrainings(digests, question).slice(0, max)
  const opened = await Promise.all(
    picked.map(async ({ training, fit }, at) => {
      const member = members.get(training.module.id)
      if (member === undefined) throw new Error('A digest is of a member.')
      const texts = await openTexts(context, training.module, { tag, isHeard: at < HEARD_MAX })
      return { ...texts, fit, member }
    }),
  )
  return { opened, memberCount: modules.length }
}

interface ModuleDigest extends TrainingDigest {
  module: ModuleRow
}

/** About the vocabulary of a hundred long trainings. */
const DIGESTS_MAX_WORDS = 300_000
/** A translation may change without a new version of its training. */
const DIGEST_MAX_AGE_MS = 60_000

const digests = new IsolateCache<TrainingDigest>({
  maxAgeMs: DIGEST_MAX_AGE_MS,
  maxWeight: DIGESTS_MAX_WORDS,
  weigh: ({ spread, written }) => spread.size + written.size,
})

/** Which words a training has for learners, in its own language and in the reader's; kept in memory for the next letter. */
async function loadDigest(context: SearchContext, module: ModuleRow, tag: LanguageTag): Promise<ModuleDigest> {
  const { moduleId, version } = indexOf(module, 'viewer')
  const load = async () => {
    const { view, steps, indexes, index } = await openTexts(context, module, { tag, isHeard: true })
    const aliases = index.steps.flatMap((step) => step.aliases)
    const texts = steps.flatMap(({ original, shown }) => [...listTexts(original), ...listTexts(shown)])
    return digestTraining(indexes, [view.module.title, ...aliases, ...texts])
  }
  const madeFrom = [version, module.languages.join(' ')].join('/')
  const digest = await digests.load(`${moduleId}/${tag}`, context.nowMs(), load, madeFrom)
  return { ...digest, module }
}

/** A step as its training says it, and as the reader reads it. */
interface ReadStep {
  original: SharedStep
  shown: SharedStep
}

function listTexts({ title, description, callouts, commands }: SharedStep): string[] {
  return [title, description, ...callouts.map(({ text }) => text), ...commands.map(({ text }) => text)]
}

/** Reads what learners of a training read, and with `isHeard` what they hear. */
async function openTexts(
  context: SearchContext,
  module: ModuleRow,
  { tag, isHeard }: { tag: LanguageTag; isHeard: boolean },
) {
  const view = await openLearnerView(context, module)
  const isTranslated = view.module.languages.includes(tag) && view.module.language !== tag
  const [index, original, shown, cues] = await Promise.all([
    loadIndex(context, indexOf(module, 'viewer')),
    view.readTexts(null),
    isTranslated ? view.readTexts(tag) : null,
    isTranslated && isHeard ? view.readCues(tag) : [],
  ])
  const translated = new Map(shown?.steps.map((step) => [step.id, step]))
  const steps = original.steps.map((step): ReadStep => ({ original: step, shown: translated.get(step.id) ?? step }))
  return { view, index, steps, cues, indexes: isHeard ? [index, ...indexCues(cues, tag)] : [] }
}

function indexCues(cues: readonly Cue[], language: LanguageTag): TutorIndex[] {
  if (cues.length === 0) return []
  const segments = cues.map(({ start, end, text }, at) => {
    return { id: `cue-${at}`, startMs: Math.round(start * 1_000), endMs: Math.round(end * 1_000), text }
  })
  return [openIndex({ language, segments, steps: [] })]
}

/** A training of a collection with what its learners read and hear. */
export interface OpenedMember extends OpenedTraining {
  view: LearnerView
  member: SharedMember
  index: TutorIndex
  steps: readonly ReadStep[]
  cues: readonly Cue[]
}

const TITLE_RANK = 2

function findSteps({ member, steps, index }: OpenedMember, words: readonly string[]) {
  if (words.length === 0) return []
  const aliases = new Map(index.steps.map((step) => [step.id, step.aliases]))
  return steps.flatMap(({ original, shown }) => {
    const names = [shown.title, original.title, ...(aliases.get(shown.id) ?? [])].join(' · ')
    const texts = [names, ...listTexts(shown), ...listTexts(original), member.title].join(' · ')
    if (countWords(texts, words) < words.length) return []
    const rank = countWords(names, words) === words.length ? TITLE_RANK : 1
    return [{ rank, place: presentStep(member, shown, words) }]
  })
}

function presentStep(member: SharedMember, step: SharedStep, words: readonly string[]): FoundPlace {
  const { title, image, timestamp: start } = step
  return { member, step: markWords(title, words), image, start, quote: null, translation: null }
}

function presentMoment({
  training: { member, steps, cues, index: spoken },
  startMs,
  quote,
}: {
  training: OpenedMember
  startMs: number
  quote: string
}): FoundPlace {
  const start = startMs / 1_000
  const step = steps.findLast(({ shown }) => shown.timestamp <= start)?.shown ?? steps[0]?.shown ?? null
  const isAt = (each: { start: number; end: number }) => each.start <= start && start < each.end
  const said = spoken.segments.find((each) => isAt({ start: each.startMs / 1_000, end: each.endMs / 1_000 }))
  const translation = cues.find(isAt)?.text ?? null
  const isOwn = said?.text.includes(quote.replace(/\.$/, '')) === true || cues.length === 0
  const original = isOwn ? quote : (said?.text ?? quote)
  return {
    member,
    step: step && { text: step.title, marks: [] },
    image: step?.image ?? null,
    start,
    quote: original,
    translation: translation === original ? null : translation,
  }
}

/** Places nearer than this in one training are one: a step, and what is said at its beginning. */
const APART_S = 5

function listApart(places: readonly FoundPlace[]): FoundPlace[] {
  return places.filter((place, at) => {
    const isSame = (other: FoundPlace) =>
      other.member.id === place.member.id && Math.abs(other.start - place.start) < APART_S
    return !places.slice(0, at).some(isSame)
  })
}
