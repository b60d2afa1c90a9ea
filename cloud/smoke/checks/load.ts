import { setTimeout as pause } from 'node:timers/promises'
import type { DebugRun } from '#contract/debug.ts'
import { CompleteAnswer } from '#contract/upload.ts'
import { type Check, call, LeftOut, read, readRun, seconds, type Visit } from '../visit.ts'
import { removePerson } from './sign-in.ts'
import { sendVideo } from './upload.ts'

/** An owner's further videos wait for these. */
const VIDEOS_OF_ONE = 3
/** Clerk takes five sign-ins of one address in ten seconds. */
const SIGN_IN_EVERY_MS = 2_500
const READY_WITHIN_MS = 15 * 60_000
const POLL_MS = 2_000

/** How a video of many ended. */
interface Ended {
  run: DebugRun | null
  tookMs: number
}

async function makeOne(visit: Visit): Promise<Ended> {
  const startMs = Date.now()
  const { moduleId, key } = await sendVideo(visit)
  await read(CompleteAnswer, await call(visit, '/api/upload/complete', { json: { moduleId, key } }))
  for (;;) {
    const run = await readRun(visit, moduleId)
    const tookMs = Date.now() - startMs
    if ((run !== null && run.endedAt !== null) || tookMs > READY_WITHIN_MS) return { run, tookMs }
    await pause(POLL_MS)
  }
}

/** Sends all videos at once, and removes those who have sent them whatever happened. */
async function makeAll(visit: Visit): Promise<PromiseSettledResult<Ended>[]> {
  if (visit.openPerson === null) throw new LeftOut('no person can be signed in')
  const visits: Visit[] = []
  try {
    for (let videos = 0; videos < visit.load; videos += VIDEOS_OF_ONE) {
      if (videos > 0 && !visit.isHere) await pause(SIGN_IN_EVERY_MS)
      const person = await visit.openPerson()
      visits.push({ ...visit, person })
      if (person.needsOrganization) await person.joinOrganization()
    }
    const senders = Array.from({ length: visit.load }, (_, at) => visits[at % visits.length] ?? visit)
    return await Promise.allSettled(senders.map((sender) => makeOne(sender)))
  } finally {
    await removeEveryone(visits)
  }
}

async function removeEveryone(visits: Visit[]): Promise<void> {
  const removed = await Promise.allSettled(visits.map((each) => removePerson(each)))
  const left = removed.filter(({ status }) => status === 'rejected').length
  if (left > 0) throw new Error(`${left} of ${visits.length} persons were not removed: remove them at Clerk by hand`)
}

export const load: Check = {
  name: 'Load',
  advice:
    'Videos that are not READY in time: /debug says which task fails. Many busy pieces: Workers AI has no capacity for so many calls; lower SPEECH_CALLS_PER_MINUTE and LANGUAGE_CALLS_PER_MINUTE, or ask Cloudflare for more.',
  run: async (visit) => {
    const settled = await makeAll(visit)
    const ended = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const ready = ended.filter(({ run }) => run?.outcome === 'ready')
    const sum = (of: (run: DebugRun) => number) =>
      ended.reduce((total, { run }) => total + (run === null ? 0 : of(run)), 0)
    const times = ready.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b)
    const busy = sum(({ audio, steps }) => (audio.busy ?? 0) + (steps.busy ?? 0))
    const found = [
      `${ready.length} of ${visit.load} READY`,
      `median ${seconds(times[Math.floor((times.length - 1) / 2)] ?? 0)}, slowest ${seconds(times.at(-1) ?? 0)}`,
      `${busy} pieces of work were answered busy`,
      `${sum(({ steps }) => steps.drafts)} sections written without the model`,
    ].join('; ')
    if (ready.length === visit.load) return found
    const reasons = settled.map((each) => (each.status === 'rejected' ? (each.reason as Error).message : ''))
    throw new Error([found, ...new Set(reasons.filter((reason) => reason !== ''))].join('; '))
  },
}
