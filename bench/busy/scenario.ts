import { startFlakySpeech, type Transcription } from '../../e2e/chaos/flaky-speech.ts'
import { waitFor } from '../rounds.ts'
import { type Bench, gate, inS, logProgress, row, type Scenario } from '../scenario.ts'
import type { ServedWorker } from '../serve.ts'
import { provideVideo, storeVideo } from '../video.ts'

const MANY = 'user_many'
const ONE = 'user_one'
const VIDEO = 'minute'
/** Of what the transcription needs little is in the image. */
const SMALL = { framesPerS: 1, videoKbps: 100 }
const LOOK_EVERY_MS = 2_000
/** After the service is back: fifty videos of a minute, three at a time, on a machine with two cores. */
const READY_WITHIN_MS = 20 * 60_000
/**
 * Three videos of the other owner are at work beside the single one when the service is back, and as many follow them
 * while it takes its turns.
 */
const AHEAD_MAX = 6

interface EndedModule {
  userId: string
  status: string
  endedAtMs: number | null
  attempts: number | null
}

const ENDS = `SELECT m.user_id AS userId, m.run_status AS status, r.ended_at AS endedAtMs, r.work->>'$.audio.mostTries' AS attempts
  FROM modules AS m JOIN runs AS r ON r.module_id = m.id AND r.run = m.run ORDER BY r.ended_at IS NULL, r.ended_at`

async function waitForEnds(worker: ServedWorker, busyMs: number): Promise<EndedModule[]> {
  let shown = -1
  const readEnded = async () => {
    const modules = await worker.sql<EndedModule>(ENDS)
    const ended = modules.filter(({ endedAtMs }) => endedAtMs !== null).length
    if (ended !== shown) logProgress(`${ended} of ${modules.length} videos have ended`)
    shown = ended
    return ended === modules.length ? modules : null
  }
  return waitFor(readEnded, { everyMs: LOOK_EVERY_MS, withinMs: busyMs + READY_WITHIN_MS })
}

async function measureBusy({ serve, values }: Bench) {
  const [seconds, videos] = [Number(values['seconds']), Number(values['videos'])]
  const speech = await startFlakySpeech()
  try {
    const worker = await serve({ vars: { SPEECH_BASE_URL: speech.baseUrl } })
    await storeVideo(`${worker.url}/api/bench/objects/${VIDEO}`, await provideVideo(1, SMALL))
    const transcription = speech.beginRound(null, { busyMs: seconds * 1_000 })
    logProgress(`${videos} videos of one owner and one of another arrive; the speech service is busy for ${seconds} s`)
    await worker.ask('/api/bench/pipeline/arrivals', { video: VIDEO, userId: MANY, count: videos })
    await worker.ask('/api/bench/pipeline/arrivals', { video: VIDEO, userId: ONE, count: 1 })
    const modules = await waitForEnds(worker, seconds * 1_000)
    await worker.stop()
    return judgeEnds(modules, { seconds, transcription })
  } finally {
    await speech.close()
  }
}

function judgeEnds(
  modules: EndedModule[],
  { seconds, transcription }: { seconds: number; transcription: Transcription },
) {
  const backAtMs = (transcription.beganAtMs ?? 0) + seconds * 1_000
  const afterBackS = (module: EndedModule | undefined) => ((module?.endedAtMs ?? Number.NaN) - backAtMs) / 1_000
  const single = modules.find(({ userId }) => userId === ONE)
  return {
    busyS: seconds,
    modules: modules.length,
    ready: modules.filter(({ status }) => status === 'READY').length,
    refusedCalls: transcription.refused,
    answeredCalls: [...transcription.answers.values()].reduce((sum, count) => sum + count, 0),
    mostAttempts: Math.max(...modules.map(({ attempts }) => attempts ?? 0)),
    aheadOfSingle: modules.findIndex(({ userId }) => userId === ONE),
    singleReadyAfterBackS: afterBackS(single),
    lastReadyAfterBackS: afterBackS(modules.at(-1)),
  }
}

/** A speech service that answers 429 while the videos of one owner arrive, and then one of another. */
export const scenario: Scenario = {
  options: { seconds: { type: 'string', default: '600' }, videos: { type: 'string', default: '50' } },
  tools: ['ffmpeg'],
  async measure(bench) {
    const figures = await measureBusy(bench)
    const { ready, modules, aheadOfSingle, refusedCalls, answeredCalls } = figures
    return {
      json: figures,
      table: [
        row('busy for', inS(figures.busyS)),
        gate('videos that are READY', ready, { atLeast: modules }, `${ready} of ${modules}`),
        gate('videos that end before the single one', aheadOfSingle, { atMost: AHEAD_MAX }, String(aheadOfSingle)),
        row('the single one is READY, after the service is back', inS(figures.singleReadyAfterBackS)),
        row('all are READY, after the service is back', inS(figures.lastReadyAfterBackS)),
        row('calls that were refused, and that were answered', `${refusedCalls}, ${answeredCalls}`),
        row('attempts at one chunk of audio, at most', String(figures.mostAttempts)),
      ],
    }
  },
}
