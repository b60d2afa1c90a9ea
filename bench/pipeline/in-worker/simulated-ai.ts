import type { SaidSegment, StepDraft, StepWriter } from '#worker/ports/language-model.ts'
import type { SpeechToText, TranscribedWord } from '#worker/ports/speech-to-text.ts'
import type { CallMeter } from '../floor.ts'
import { languageCallMs, outlineCallMs, type Profile, speechCallMs } from '../floor.ts'

/** 150 words a minute, a calm narration. */
const WORD_MS = 400
const PAUSE_MS = 50
const STEP_MS = 60_000

interface SimulatedCall {
  /** Asked at each call: runs of several profiles share one worker. */
  profile: () => Profile
  meter: CallMeter
}

/** Transcribes any audio as numbered sentences, after the time that a hosted recogniser takes. */
export function simulatedSpeech({ profile, meter }: SimulatedCall): SpeechToText {
  return {
    name: 'simulated',
    async transcribe({ durationMs }, signal) {
      await answerAfter(speechCallMs(profile(), durationMs), { meter, signal })
      return { words: sayWords(durationMs), language: 'en' }
    },
  }
}

/** Makes one step of each minute, after the time that a hosted language model takes. */
export function simulatedStepWriter({ profile, meter }: SimulatedCall): StepWriter {
  return {
    name: 'simulated',
    async writeSteps({ segments }, signal) {
      const narrationMs = (segments.at(-1)?.endMs ?? 0) - (segments[0]?.startMs ?? 0)
      await answerAfter(languageCallMs(profile(), narrationMs), { meter, signal })
      return groupByMinute(segments).map(draftStep)
    },
    async outline({ steps }, signal) {
      await answerAfter(outlineCallMs(profile(), steps.at(-1)?.endMs ?? 0), { meter, signal })
      return steps.map(({ title }, at) => ({ first: at + 1, title }))
    },
  }
}

/** A real wait, so that what overlaps and what queues up is real. */
async function answerAfter(ms: number, { meter, signal }: { meter: CallMeter; signal: AbortSignal }): Promise<void> {
  meter.inFlight++
  meter.mostInFlight = Math.max(meter.mostInFlight, meter.inFlight)
  try {
    await scheduler.wait(ms, { signal })
  } finally {
    meter.inFlight--
  }
}

function sayWords(durationMs: number): TranscribedWord[] {
  const words: TranscribedWord[] = []
  for (let sentence = 1; ; sentence++) {
    const said = `Now we open page number ${sentence} of the settings, and press the save button at the bottom.`
    for (const text of said.split(' ')) {
      const startMs = words.length * WORD_MS
      if (startMs + WORD_MS > durationMs) return words
      words.push({ text, startMs, endMs: startMs + WORD_MS - PAUSE_MS, confidence: 0.95 })
    }
  }
}

function groupByMinute(segments: SaidSegment[]): SaidSegment[][] {
  const groups: SaidSegment[][] = []
  for (const segment of segments) {
    const group = groups.at(-1)
    if (group?.[0] !== undefined && segment.endMs - group[0].startMs <= STEP_MS) group.push(segment)
    else groups.push([segment])
  }
  return groups
}

function draftStep(said: SaidSegment[]): StepDraft {
  const text = said.map((segment) => segment.text).join(' ')
  return {
    segmentIds: said.map((segment) => segment.id),
    // Each another one, as in a real video: equal titles would be numbered again with each section.
    title: `Open page ${Math.round((said[0]?.startMs ?? 0) / 1_000)} of the settings`,
    description: text.slice(0, 200),
  }
}
