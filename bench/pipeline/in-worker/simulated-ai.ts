import type { SaidSegment, StepDraft, StepWriter } from '#worker/ports/language-model.ts'
import type { SpeechToText, TranscribedWord } from '#worker/ports/speech-to-text.ts'
import {
  type CallMeter,
  languageCallMs,
  outlineCallMs,
  PROFILES,
  type Profile,
  type ProfileName,
  speechCallMs,
} from '../floor.ts'
import { tally } from './tally.ts'

const SENTENCE = 'Now we open page number # of the settings, and press the save button at the bottom.'.split(' ')
/** 150 words a minute, a calm narration. */
const WORD_MS = 400
const PAUSE_MS = 50
const STEP_MS = 60_000

let profile: Profile = PROFILES.mid

export function simulateProfile(name: ProfileName): void {
  profile = PROFILES[name]
}

/** Transcribes any audio as numbered sentences, after the time that a hosted recogniser takes. */
export const simulatedSpeech: SpeechToText = {
  name: 'simulated',
  async transcribe({ durationMs }, signal) {
    await answerAfter(speechCallMs(profile, durationMs), tally.speechCalls, signal)
    return { words: sayWords(durationMs), language: 'en' }
  },
}

/** Makes one step of each minute, after the time that a hosted language model takes. */
export const simulatedStepWriter: StepWriter = {
  name: 'simulated',
  async writeSteps({ segments }, signal) {
    const narrationMs = (segments.at(-1)?.endMs ?? 0) - (segments[0]?.startMs ?? 0)
    await answerAfter(languageCallMs(profile, narrationMs), tally.languageCalls, signal)
    const minutes = Object.groupBy(segments, ({ startMs }) => Math.floor(startMs / STEP_MS))
    return Object.values(minutes).map((said = []) => draftStep(said))
  },
  async outline({ steps }, signal) {
    const videoMs = (steps.at(-1)?.endMs ?? 0) - (steps[0]?.startMs ?? 0)
    await answerAfter(outlineCallMs(profile, videoMs), tally.languageCalls, signal)
    return steps.flatMap(({ title, lines: [opening] }) =>
      opening === undefined ? [] : [{ first: opening.line, title }],
    )
  },
}

/** A real wait, so that what overlaps and what queues up is real. */
async function answerAfter(ms: number, meter: CallMeter, signal: AbortSignal): Promise<void> {
  meter.inFlight++
  meter.mostInFlight = Math.max(meter.mostInFlight, meter.inFlight)
  try {
    await scheduler.wait(ms, { signal })
  } finally {
    meter.inFlight--
  }
}

function sayWords(durationMs: number): TranscribedWord[] {
  return Array.from({ length: Math.floor(durationMs / WORD_MS) }, (_, at) => {
    const number = String(1 + Math.floor(at / SENTENCE.length))
    const text = (SENTENCE[at % SENTENCE.length] ?? '').replace('#', number)
    return { text, startMs: at * WORD_MS, endMs: (at + 1) * WORD_MS - PAUSE_MS, confidence: 0.95 }
  })
}

function draftStep(said: readonly SaidSegment[]): StepDraft {
  const text = said.map((segment) => segment.text).join(' ')
  // Each another one, as in a real video: equal titles would be numbered again with each section.
  const title = `Open page ${Math.round((said[0]?.startMs ?? 0) / 1_000)} of the settings`
  return { segmentIds: said.map((segment) => segment.id), title, description: text.slice(0, 200) }
}
