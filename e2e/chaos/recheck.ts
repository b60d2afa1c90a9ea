import { setTimeout as sleep } from 'node:timers/promises'
import { ModuleListAnswer } from '#contract/module.ts'
import { compareAgain, type Reference, type Stage, type Upload } from './play-round.ts'

/** Late copies of messages, and what is tidied up after a run, come within this. */
const SETTLE_MS = 5000

/** When all rounds are over: nothing has changed any module since it was READY, and there are no others. */
export async function recheck(stage: Stage, references: Reference[], uploads: Upload[]): Promise<string[]> {
  const { client, stopping: signal } = stage
  await sleep(SETTLE_MS)
  const problems: string[] = []
  for (const upload of uploads.filter(({ difference }) => difference === null)) {
    const difference = await compareAgain(client, upload, signal)
    if (difference !== null) problems.push(`${upload.moduleId}, some time after it was READY: ${difference}`)
  }
  const { modules } = await client.call(ModuleListAnswer, { path: '/api/modules', signal })
  const expected = references.length + uploads.filter(({ moduleId }) => moduleId !== null).length
  if (modules.length !== expected) {
    problems.push(`${modules.length} modules are listed instead of ${expected}`)
  }
  return problems
}
