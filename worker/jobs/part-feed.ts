import { insertParts, type NewPart } from '#worker/domain/run/part-store.ts'
import { sendAll } from '#worker/domain/run/run-queues.ts'
import type { JobDeps } from './job.ts'

/** The first parts of a slice are handed on one by one, so that hearing begins at once. */
const AT_ONCE = 3
/** Later ones wait this long for each other: one row and one message at a time would cost more than the cutting. */
const GATHER_MS = 100

/** Takes parts while more are being cut. */
export interface PartFeed {
  /** @throws what went wrong with earlier parts */
  add(part: NewPart): void
  /** Waits until all that was added has been handed on. */
  end(): Promise<void>
}

/** Writes down parts that lie in the bucket, and asks for them to be heard. */
export function openPartFeed(deps: Pick<JobDeps, 'db' | 'queues'>): PartFeed {
  let gathered: NewPart[] = []
  let handed = 0
  let handing: Promise<void> | null = null
  let fault: { error: unknown } | null = null

  async function handOn(): Promise<void> {
    while (gathered.length > 0) {
      if (handed >= AT_ONCE) await scheduler.wait(GATHER_MS)
      const parts = gathered
      gathered = []
      handed += parts.length
      await insertParts(deps.db, parts)
      const messages = parts.map(({ moduleId, run, part }) => ({ kind: 'speech', moduleId, run, part }) as const)
      await sendAll(deps.queues.speech, messages)
    }
  }

  function begin(): Promise<void> {
    return handOn()
      .catch((error: unknown) => {
        fault = { error }
      })
      .finally(() => {
        handing = null
      })
  }

  function check(): void {
    if (fault !== null) throw fault.error
  }

  return {
    add(part) {
      check()
      gathered.push(part)
      handing ??= begin()
    },
    async end() {
      await handing
      check()
    },
  }
}
