import { spawnSync } from 'node:child_process'

/** Whether a program is on the PATH. */
export function hasProgram(program: string): boolean {
  return spawnSync(program, ['-version'], { stdio: 'ignore' }).error === undefined
}
