import { startFlakySpeech } from './flaky-speech.ts'
import { planKills } from './kill-plan.ts'
import { openLocalSystem } from './local-system.ts'
import { type ChaosVideo, makeVideos } from './make-videos.ts'
import { playRound, playUndisturbed, type Reference, type Stage, type Upload } from './play-round.ts'
import { formatReference, reportRound, reportState } from './print.ts'
import { randomOf } from './random.ts'
import { readState } from './read-state.ts'
import { recheck } from './recheck.ts'
import { signUpClient } from './retrying-client.ts'

export interface ChaosOptions {
  /** An empty folder for everything. */
  stateDir: string
  seed: string
  rounds: number
  firstRound: number
  /** Ends everything early, by an error. */
  stopping: AbortSignal
}

interface Outcome {
  kills: number
  /** What differed, a sentence each; none when all is well. */
  problems: string[]
}

/** Plays the rounds and reports. @returns whether every module ended READY and equal to its reference */
export async function runChaos(options: ChaosOptions): Promise<boolean> {
  const { stateDir, seed, rounds, stopping } = options
  console.log(`chaos: seed ${seed}`)
  const videos = await makeVideos(stateDir, stopping)
  const { kills, problems } = await withStage(options, (stage) => playAll(stage, videos, options))
  const state = readState(stateDir)
  console.log(reportState(state))
  problems.push(...state.damages, ...state.doubled)
  for (const problem of problems) console.log(`  ${problem}`)
  const end = problems.length === 0 ? 'all READY and equal' : `${problems.length} PROBLEMS`
  console.log(`chaos: ${rounds} rounds, ${kills} kills, ${end} (seed ${seed})`)
  return problems.length === 0
}

/** Lends a running system, and ends it whatever happens. */
async function withStage(options: ChaosOptions, play: (stage: Stage) => Promise<Outcome>): Promise<Outcome> {
  const { stateDir, stopping } = options
  const speech = await startFlakySpeech()
  try {
    const system = await openLocalSystem({ stateDir, speechBaseUrl: speech.baseUrl })
    const playing = async () => {
      await system.start()
      return play({ system, speech, stopping, client: await signUpClient(system.address, stopping) })
    }
    try {
      return await Promise.race([playing(), system.broken, whenAborted(stopping)])
    } finally {
      await system.stop()
    }
  } finally {
    await speech.close()
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

async function playAll(stage: Stage, videos: ChaosVideo[], options: ChaosOptions): Promise<Outcome> {
  const references: Reference[] = []
  for (const video of videos) references.push(await playUndisturbed(stage, video))
  for (const reference of references) console.log(formatReference(reference))
  const uploads: Upload[] = []
  const problems: string[] = []
  let kills = 0
  for (let round = options.firstRound; round < options.firstRound + options.rounds; round++) {
    const faultSeed = `${options.seed}/${round}`
    const moments = planKills(randomOf(faultSeed), {
      uploadMs: Math.max(...references.map(({ uploadMs }) => uploadMs)),
      audioChunks: references.flatMap(({ chunkHashes }) => chunkHashes).length,
    })
    const report = await playRound(stage, references, { kills: moments, faultSeed })
    // A module is not READY when the person stopped the test, which is no failure.
    options.stopping.throwIfAborted()
    const reported = reportRound(report, {
      round,
      moments,
      references,
      serverErrors: stage.client.serverErrors.splice(0),
    })
    console.log(reported.line)
    problems.push(...reported.problems)
    uploads.push(...report.uploads)
    kills += report.kills
  }
  problems.push(...(await recheck(stage, references, uploads)))
  return { kills, problems }
}
