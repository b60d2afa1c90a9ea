import { setTimeout as pause } from 'node:timers/promises'
import { listIll, NO_SWEEP_YET } from '#contract/debug.ts'
import { type Check, call, expectOk, LeftOut, POLL_MS, readHealth, type Visit } from '../visit.ts'

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
      const ill = listIll(await readHealth(visit))
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

const CALLS = 20
/** A call that reads the database a few times; beyond this people wait for every page. */
const MEDIAN_MAX_MS = 1_000

export const distance: Check = {
  name: 'Distance',
  advice:
    'The database is far from who asks, or slow: compare `location` of the settings with the colo, and see D1 › Metrics. A database cannot be moved.',
  run: async (visit) => {
    const path = visit.person === null ? '/api/health' : '/api/modules'
    const took: number[] = []
    const colos = new Set<string>()
    while (took.length < CALLS) {
      const startMs = performance.now()
      const answer = await expectOk(await call(visit, path))
      await answer.text()
      took.push(performance.now() - startMs)
      colos.add(answer.headers.get('cf-ray')?.split('-')[1] ?? 'no colo')
    }
    const medianMs = took.toSorted((a, b) => a - b)[CALLS / 2 - 1] ?? 0
    const found = `p50 of ${CALLS} calls of ${path}: ${medianMs.toFixed(0)} ms, by ${[...colos].join(', ')}`
    if (medianMs > MEDIAN_MAX_MS) throw new Error(found)
    return found
  },
}
