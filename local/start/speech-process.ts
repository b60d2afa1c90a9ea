import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type LogFile, openLogFile } from './log-file.ts'
import { type Processes, type RunningProcess } from './processes.ts'
import { type StartConfig, StartError } from './start-config.ts'

/** A service of this machine that runs in a process of its own, and what is without it. */
interface LocalService {
  /** At the beginning of a sentence, and as what does not start. */
  name: string
  starter: string
  script: string
  /** Its log, in the state folder. */
  log: string
  without: string
}

const SPEECH: LocalService = {
  name: 'Speech recognition',
  starter: 'The speech recogniser',
  script: 'local/speech/serve-speech.ts',
  log: 'speech.log',
  without: 'videos need captions until Adapt is started again',
}

const TRANSLATION: LocalService = {
  name: 'Translation',
  starter: 'The translator',
  script: 'local/translate/serve-translations.ts',
  log: 'translation.log',
  without: 'trainings are not translated until Adapt is started again',
}

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
export async function startSpeech(options: SpeechStart): Promise<string> {
  const workDir = join(options.config.stateDir, 'speech')
  // Recordings that a killed run left behind.
  rmSync(workDir, { recursive: true, force: true })
  mkdirSync(workDir)
  const { env } = options.config
  // What it downloads comes through the proxy, and with the certificates, that pip would use.
  const network = { NODE_USE_ENV_PROXY: '1', NODE_EXTRA_CA_CERTS: env.NODE_EXTRA_CA_CERTS ?? env.PIP_CERT }
  return startService(SPEECH, [workDir], { ...options, config: { ...options.config, env: { ...env, ...network } } })
}

/** Starts the translator of this machine likewise. @returns its address @throws {StartError} */
export function startTranslation(options: SpeechStart): Promise<string> {
  return startService(TRANSLATION, [], options)
}

async function startService(
  service: LocalService,
  args: readonly string[],
  { config: { repoDir, stateDir, env }, processes, show }: SpeechStart,
): Promise<string> {
  const log = openLogFile(join(stateDir, service.log))
  const script = join(repoDir, service.script)
  const start = (port: string) => {
    const started = processes.start({ args: [script, ...args, port], cwd: repoDir, env, onLine: log.write })
    // Its first message is its address.
    started.child.once('message', () => started.child.on('message', (line) => show(line as string)))
    return started
  }
  const first = start('0')
  const baseUrl = await readAddress(first, { service, log })
  const isStopping = () => processes.isStopping
  void keepRunning(first, { service, log, show, isStopping, restart: () => start(portOf(baseUrl)) })
  return baseUrl
}

async function readAddress(
  { child, ended }: RunningProcess,
  { service, log }: Pick<Upkeep, 'service' | 'log'>,
): Promise<string> {
  const sent = new Promise<string>((resolve) => child.once('message', (url) => resolve(url as string)))
  const address = await Promise.race([sent, ended.then(() => null)])
  if (address === null) throw new StartError(`${service.starter} does not start: ${log.path} says why.`)
  return address
}

function portOf(baseUrl: string): string {
  return new URL(baseUrl).port
}

interface Upkeep {
  service: LocalService
  log: LogFile
  show: SpeechStart['show']
  isStopping: () => boolean
  restart: () => RunningProcess
}

async function keepRunning(first: RunningProcess, { service, log, show, isStopping, restart }: Upkeep): Promise<void> {
  let running = first
  for (let restarts = 1; ; restarts += 1) {
    const code = await running.ended
    if (isStopping()) return
    const stopped = `${service.name} has stopped by itself (${code === null ? 'it was killed' : `exit code ${code}`})`
    if (restarts > SPEECH_RESTARTS_MAX) {
      show(`${stopped} too often: ${service.without}. ${log.path} says why.`)
      return
    }
    show(`${stopped} and is started again (${restarts} of ${SPEECH_RESTARTS_MAX}): ${log.path} says why.`)
    running = restart()
  }
}
