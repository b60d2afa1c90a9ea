import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type LogFile, openLogFile, type Processes, type RunningProcess } from './processes.ts'
import { type StartConfig, StartError } from './start-config.ts'

interface SpeechStart {
  config: Pick<StartConfig, 'repoDir' | 'stateDir' | 'env'>
  processes: Processes
  /** Shows a line to the person who runs Adapt. */
  show: (line: string) => void
}

/** How often the recogniser is started again in one run; what stops more often is broken. */
export const SPEECH_RESTARTS_MAX = 5

/**
 * Starts the recogniser of this machine, and starts it again at the same address when it stops by itself.
 * @returns its address
 * @throws {StartError} when it does not start at all
 */
export async function startSpeech({ config, processes, show }: SpeechStart): Promise<string> {
  const { repoDir, stateDir, env } = config
  const workDir = join(stateDir, 'speech')
  // Recordings that a killed run left behind.
  rmSync(workDir, { recursive: true, force: true })
  mkdirSync(workDir)
  const log = openLogFile(join(stateDir, 'speech.log'))
  const script = join(repoDir, 'local/speech/serve-speech.ts')
  const start = (port: string) =>
    processes.start({ args: [script, workDir, port], cwd: repoDir, env, onLine: log.write })
  const first = start('0')
  const baseUrl = await readAddress(first, log)
  void keepRunning(first, { log, show, isStopping: () => processes.isStopping, restart: () => start(portOf(baseUrl)) })
  return baseUrl
}

async function readAddress({ child, ended }: RunningProcess, log: LogFile): Promise<string> {
  const sent = new Promise<string>((resolve) => child.once('message', (url) => resolve(url as string)))
  const address = await Promise.race([sent, ended.then(() => null)])
  if (address === null) throw new StartError(`The speech recogniser does not start: ${log.path} says why.`)
  return address
}

function portOf(baseUrl: string): string {
  return new URL(baseUrl).port
}

interface Upkeep {
  log: LogFile
  show: SpeechStart['show']
  isStopping: () => boolean
  restart: () => RunningProcess
}

async function keepRunning(first: RunningProcess, { log, show, isStopping, restart }: Upkeep): Promise<void> {
  let running = first
  for (let restarts = 1; ; restarts += 1) {
    const code = await running.ended
    if (isStopping()) return
    const stopped = `Speech recognition has stopped by itself (${code === null ? 'it was killed' : `exit code ${code}`})`
    if (restarts > SPEECH_RESTARTS_MAX) {
      show(`${stopped} too often: videos need captions until Adapt is started again. ${log.path} says why.`)
      return
    }
    show(`${stopped} and is started again (${restarts} of ${SPEECH_RESTARTS_MAX}): ${log.path} says why.`)
    running = restart()
  }
}
