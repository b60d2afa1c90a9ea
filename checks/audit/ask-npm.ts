import { execFile } from 'node:child_process'
import type { AuditAnswer } from './judge-audit.ts'

/** A registry that answers does so within two seconds; one that does not must not hold up the gate. */
const DEADLINE_MS = 60_000

/** One try, so that a line that is down is told within the deadline. */
const ARGS = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000']

/** Asks the registry what is known about the packages of a folder's lock file. */
export function askNpm(folder: string, env: NodeJS.ProcessEnv = process.env): Promise<AuditAnswer> {
  return new Promise((resolve) => {
    // npm ends with 1 both where it found something and where it could not ask; only what it prints tells which.
    execFile('npm', ARGS, { cwd: folder, env, timeout: DEADLINE_MS, maxBuffer: 64_000_000 }, (error, stdout) => {
      if (error?.killed) resolve({ message: `no answer within ${DEADLINE_MS / 1000} s` })
      else resolve(readAnswer(stdout))
    })
  })
}

function readAnswer(stdout: string): AuditAnswer {
  try {
    return JSON.parse(stdout) as AuditAnswer
  } catch {
    return { message: 'npm printed no JSON' }
  }
}
