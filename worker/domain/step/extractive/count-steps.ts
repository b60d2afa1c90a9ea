import { isAnnouncement, isInstruction } from './cues.ts'
import type { Sentence } from './sentences.ts'

/**
 * The usual step lasts so many seconds times the square root of the recording's seconds, at the usual rate of
 * signposts. Within each group of the benchmark, length grows about with the square root: a short clip has short steps.
 */
const LENGTH_SCALE = 2.9
/** Signposts a minute in guided speech. */
const USUAL_SIGNPOSTS = 4
/** A scripted lecture gives half as many signposts, and its chapters are twice as long as a screencast's. */
const SIGNPOST_POWER = 0.9
/** Fewer announcements a minute say no more about granularity; text without punctuation hides many. */
const MIN_SIGNPOSTS = 1.8
/** Nor do more: a speaker who says "so" all the time has no finer steps. */
const MAX_SIGNPOSTS = 4
/** Instructions halve the usual length at most, or every click would be a step. */
const MAX_SIGNPOSTS_WITH_INSTRUCTIONS = 8
/** Minutes of usual speech that are mixed in, so that a clip of a minute is not judged by two sentences. */
const PRIOR_MINUTES = 1
/** How-to steps consist of instructions to the viewer, so one counts for as much as several announcements. */
const INSTRUCTION_SIGNPOSTS = 3

/**
 * Estimates how long a step usually lasts, from the length of the video and from how often the speaker has announced
 * steps so far.
 * @param lengthMs of the whole video; of the transcript while that is unknown
 */
export function usualStepMs(sentences: readonly Sentence[], lengthMs: number): number {
  const minutes = spokenMsOf(sentences) / 60_000
  const perMinute = (count: number): number => count / (minutes + PRIOR_MINUTES)
  const signposts = sentences.reduce((sum, sentence) => sum + countSignposts(sentence), USUAL_SIGNPOSTS * PRIOR_MINUTES)
  const announced = Math.min(MAX_SIGNPOSTS, Math.max(MIN_SIGNPOSTS, perMinute(signposts)))
  const instructed = INSTRUCTION_SIGNPOSTS * countInstructionsPerMinute(sentences)
  const rate = Math.min(MAX_SIGNPOSTS_WITH_INSTRUCTIONS, announced + instructed)
  return 1_000 * LENGTH_SCALE * Math.sqrt(lengthMs / 1_000) * (USUAL_SIGNPOSTS / rate) ** SIGNPOST_POWER
}

/** From the first word to the last. */
export function spokenMsOf(sentences: readonly Sentence[]): number {
  return Math.max(0, (sentences.at(-1)?.endMs ?? 0) - (sentences[0]?.startMs ?? 0))
}

/** How often the speaker instructs the viewer; a minute without instructions is mixed in. */
export function countInstructionsPerMinute(sentences: readonly Sentence[]): number {
  const minutes = spokenMsOf(sentences) / 60_000
  return sentences.filter(isInstruction).length / (minutes + PRIOR_MINUTES)
}

function countSignposts(sentence: Sentence): number {
  return Number(sentence.isQuestion) + Number(opensWithConnective(sentence)) + Number(isAnnouncement(sentence))
}

/** An opening "so" or "now" steers as much as an announcement does. */
function opensWithConnective(sentence: Sentence): boolean {
  return /^(?:so|now|ok|okay|alright|all|well|right)$/.test(sentence.words[0] ?? '')
}
