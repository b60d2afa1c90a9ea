import type { Services } from '#worker/core/services.ts'
import { openDriver, seedRun } from './drive.ts'
import { openWildQueue, type WildQueue } from './wild-queue.ts'

/** A run whose audio has been cut, with the tasks of transcribing it. */
export interface WildRun extends WildQueue {
  id: { moduleId: string; run: number }
  /** Does what is due, one by one, and lets time pass where nothing is. */
  drain: (rounds: number) => Promise<void>
}

export async function openWildRun(services: Partial<Services> = {}, audioMs = 60_000): Promise<WildRun> {
  const id = await seedRun(audioMs, { userId: `user_${crypto.randomUUID()}` })
  const queue = openWildQueue(openDriver(services).deps)
  await queue.deliver('ingest', 1, null)
  async function drain(rounds: number) {
    for (let round = 0; round < rounds; round++) {
      const done = (await queue.deliver('transcribe', 1, null)) + (await queue.deliver('write_steps', 1, null))
      if (done === 0) queue.pass(5_000)
    }
  }
  return { ...queue, id, drain }
}
