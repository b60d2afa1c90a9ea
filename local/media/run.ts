import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a program to its end. @throws with what it complained about */
export async function run(program: string, args: string[]): Promise<void> {
  await execute(program, args, { maxBuffer: 10_000_000 })
}
