import { setTimeout as pause } from 'node:timers/promises'
import { NO_SWEEP_YET } from '#contract/debug.ts'
import { type Check, LeftOut, POLL_MS, readHealth, type Visit } from '../visit.ts'

/** The sweep comes each minute, and the first one of a new worker some minutes late. Without an answer nothing is waited for. */
const WELL_WITHIN_MS = 180_000

export const version: Check = {
  name: 'Version',
  advice: 'Another commit is live than the one of this clone. Check that one out, or deploy this one.',
  run: async (visit) => {
    const { version, release } = await readHealth(visit)
    if (version === release) throw new LeftOut('it was deployed without a commit')
    if (version !== visit.commit) throw new Error(`${version} answers, this clone is at ${visit.commit}`)
    return version
  },
}

export const parts: Check = {
  name: 'Parts',
  advice: 'docs/operations.md says what each part does; `probe_failed` in the log says why it did not answer.',
  run: async (visit) => {
    const untilMs = Date.now() + WELL_WITHIN_MS
    for (;;) {
      const { d1, r2, queues, durableObjects, ai } = await readHealth(visit)
      const ill = Object.entries({ d1, r2, queues, durableObjects, ai }).filter(
        ([, state]) => state !== 'ok' && state !== 'not called yet',
      )
      if (ill.length === 0) return 'd1, r2, queues, durableObjects and ai are ok'
      if (visit.isFirst && ill.every(([part, state]) => part === 'queues' && state === NO_SWEEP_YET))
        throw new LeftOut(sayWhenToLook(visit))
      if (Date.now() > untilMs) throw new Error(ill.map(([part, state]) => `${part}: ${state}`).join('; '))
      await pause(POLL_MS)
    }
  },
}

/** A new cron reaches all of Cloudflare within this (Workers, "Cron Triggers"). */
const FIRST_SWEEP_MINUTES = 15

function sayWhenToLook({ origin }: Visit): string {
  const look = `open ${origin}/api/health then, where queues has to be ok`
  return `the first run of a new cron takes up to ${FIRST_SWEEP_MINUTES} minutes: ${look}`
}
