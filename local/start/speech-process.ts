import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureSpeechTools } from './install.ts'
import { openLogFile } from './log-file.ts'
import type { Processes, RunningProcess } from './processes.ts'
import type { StartConfig } from './start-config.ts'
import { StartError } from './start-config.ts'

const ANY_FREE_PORT = 0

/**
 * Sees to it that speech can be recognised: by the server that the environment names, else by one of our own on this
 * machine. @returns its address, or nothing where there is no recogniser
 */
export async function startSpeech(config: StartConfig, processes: Processes): Promise<string> {
  if (config.env.SPEECH_BASE_URL) return config.env.SPEECH_BASE_URL
  if (!(await ensureSpeechTools())) return ''
  const workDir = join(config.stateDir, 'speech')
  // Recordings that a killed run left behind.
  rmSync(workDir, { recursive: true, force: true })
  mkdirSync(workDir)
  const port = await startServer({ config, processes, workDir, port: ANY_FREE_PORT })
  return `http://127.0.0.1:${port}/v1`
}

interface SpeechServerStart {
  config: StartConfig
  processes: Processes
  workDir: string
  port: number
}

async function startServer(start: SpeechServerStart): Promise<number> {
  const { repoDir, stateDir, env } = start.config
  const log = openLogFile(join(stateDir, 'speech.log'))
  const server = start.processes.start({
    args: [join(repoDir, 'local/speech/main.ts'), String(start.port), start.workDir],
    cwd: repoDir,
    env,
    onLine: log.write,
  })
  const port = await Promise.race([portOf(server), server.ended.then(() => null)])
  if (port === null) throw new StartError(`The speech server did not start: ${log.path} says why.`)
  void server.ended.then(() => startAgain({ ...start, port }))
  return port
}

function portOf({ child }: RunningProcess): Promise<number> {
  return new Promise((resolve) => child.once('message', (message: { port: number }) => resolve(message.port)))
}

async function startAgain(start: SpeechServerStart): Promise<void> {
  if (start.processes.isStopping) return
  console.error('The speech server has stopped by itself; starting it again.')
  // The worker keeps the address that it was given, so the port stays.
  await startServer(start).catch((error: unknown) => console.error(String(error)))
}
