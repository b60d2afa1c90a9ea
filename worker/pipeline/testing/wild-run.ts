import type { Services } from '#worker/services.ts'
import { openDriver, plantRun } from './drive.ts'
import { openWildQueue, type WildQueue } from './wild-queue.ts'

/** A run whose sound has been cut, with the messages that its parts wait in. */
export interface WildRun extends WildQueue {
  id: { moduleId: string; run: number }
  /** Delivers what is due, one by one, and lets time pass where nothing is. */
  drain: (rounds: number) => Promise<void>
}

export async function openWildRun(services: Partial<Services> = {}, soundMs = 60_000): Promise<WildRun> {
  const id = await plantRun(soundMs, { userId: `user_${crypto.randomUUID()}` })
  const queue = openWildQueue(openDriver(services).deps)
  await queue.deliver([{ body: { kind: 'ingest', ...id }, attempts: 1, dueMs: 0 }], null)
  async function drain(rounds: number) {
    for (let round = 0; round < rounds && queue.waiting.length > 0; round++) {
      const due = queue.take(0, 1)
      if (due.length === 0) queue.pass(5_000)
      await queue.deliver(due, null)
    }
  }
  return { ...queue, id, drain }
}
