import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a program to its end; `signal` ends it early. @throws with what it complained about */
export async function run(program: string, args: string[], signal?: AbortSignal): Promise<void> {
  await execute(program, args, { maxBuffer: 10_000_000, signal })
}
