import type { StepsAnswer } from '#contract/step.ts'
import type { LanguagesAnswer } from '#contract/translation.ts'
import { type Caller, openCaller } from '../client.ts'
import { waitFor } from '../rounds.ts'
import { gate, logProgress, round, row, type Scenario, sum } from '../scenario.ts'
import type { ServedWorker } from '../serve.ts'
import type { TranslateCall } from '../wire.ts'

const MODULE_ID = 'benchbenchbenchbench02'
const TOKEN = 'owner.of.translations'
const STEP_COUNT = 60
/** An hour is said in about so many. */
const SENTENCES = 700
const DURATION_S = 3_600
const WITHIN_MS = 120_000
/** A new step is read in the learner's language so soon after it was made or changed. */
const SOON_S = 10

type Said = StepsAnswer['steps'][number]

async function saveSteps(caller: Caller, steps: object[], version?: number): Promise<StepsAnswer> {
  return caller.ask({
    path: `/api/steps/${MODULE_ID}`,
    as: TOKEN,
    json: { steps, ...(version !== undefined && { version }) },
  })
}

/** Waits until all of a training is translated. @returns what the translator was asked since the last time, and how long it took */
async function untilTranslated(worker: ServedWorker, caller: Caller) {
  const startedMs = performance.now()
  const isDone = async () => {
    const path = `/api/modules/${MODULE_ID}/languages`
    const { languages } = await caller.ask<LanguagesAnswer>({ path, as: TOKEN })
    const { isInProgress, failure, done = 0, total } = languages.find(({ tag }) => tag === 'it') ?? {}
    if (failure) throw new Error(failure.detail)
    return isInProgress === false && done === total ? true : null
  }
  await waitFor(isDone, { everyMs: 100, withinMs: WITHIN_MS })
  const calls = await worker.ask<TranslateCall[]>('/api/bench/translate-calls')
  const words = sum(calls.map((call) => call.words))
  return { calls: calls.length, words, tookMs: performance.now() - startedMs }
}

/** What translating a training costs as a whole, and after one of its steps was changed. The model answers at a fixed pace. */
export const scenario: Scenario = {
  async measure({ serve }) {
    const worker = await serve()
    const caller = openCaller(worker.url, 2)
    const title = 'Change the roll in a label printer'
    await worker.seed({ id: MODULE_ID, userId: TOKEN, title, durationMs: DURATION_S * 1_000 }, SENTENCES)
    const lengthS = DURATION_S / STEP_COUNT
    const steps = Array.from({ length: STEP_COUNT }, (_, at) => ({
      title: `Loosen the screw at place ${at + 1}`,
      description: `Turn the screw at place ${at + 1} to the left with the long key until it comes out by itself.`,
      start: at * lengthS,
      end: (at + 1) * lengthS,
    }))
    const saved = await saveSteps(caller, steps)
    logProgress(`${STEP_COUNT} steps and ${SENTENCES} lines of captions`)
    await caller.ask({
      method: 'PATCH',
      path: `/api/modules/${MODULE_ID}`,
      as: TOKEN,
      json: { languages: ['it'] },
    })
    const whole = await untilTranslated(worker, caller)
    logProgress('one step of them is changed')
    const change = (step: Said, at: number) => (at === 7 ? { ...step, title: 'Loosen the long screw' } : step)
    await saveSteps(caller, saved.steps.map(change), saved.meta.version)
    const changed = await untilTranslated(worker, caller)
    caller.close()
    const percent = round((100 * changed.words) / whole.words, 2)
    const inS = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
    return {
      json: { steps: STEP_COUNT, captionLines: SENTENCES, whole, changed },
      table: [
        row(
          `A training of an hour, ${STEP_COUNT} steps, ${SENTENCES} lines: calls, words`,
          `${whole.calls}, ${whole.words}`,
        ),
        row('all of it is translated after', inS(whole.tookMs)),
        gate(`One step of ${STEP_COUNT} is changed: calls`, changed.calls, { atMost: 1 }, String),
        gate('  words, of those of the whole, in percent', percent, { atMost: 1 }, String),
        gate('  translated after the save, in seconds', changed.tookMs / 1_000, { atMost: SOON_S }, (s) =>
          s.toFixed(1),
        ),
      ],
    }
  },
}
