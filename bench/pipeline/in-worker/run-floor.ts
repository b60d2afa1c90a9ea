import type { Floor, FloorRequest } from '../floor.ts'
import { isIn, languageCallMs, outlineMs, PROFILES, planSections, speechCallMs } from '../floor.ts'
import { cutAudio } from './audio.ts'

/** About what a chunk's words take in the database. */
const BODY = 'x'.repeat(6_000)

/**
 * Takes a video's audio through the models with the least that a pipeline which keeps its work can do: each chunk lies
 * in the bucket, is read again and has its call and one row written; each section has its call and one row, and so has
 * the outline. One invocation does all of it: no queue, no claims, no steps. What remains of a real run's time beyond this is the
 * pipeline's own, on the machine and at the moment of the comparison.
 */
export async function runFloor(env: Env, request: FloorRequest): Promise<Floor> {
  const { video, profile: name, allowed, chunks } = request
  const profile = PROFILES[name]
  const speech = openLines(allowed.speechCalls)
  const language = openLines(allowed.languageCalls)
  await env.DB.prepare('CREATE TABLE IF NOT EXISTS bench_floor (at INTEGER, body TEXT)').run()
  const writeRow = () => env.DB.prepare('INSERT INTO bench_floor VALUES (?, ?)').bind(Date.now(), BODY).run()
  const transcribed = chunks.map((chunk) => ({ chunk, ...Promise.withResolvers<void>() }))
  const beganAt = Date.now()
  const writtenAt = planSections(chunks.at(-1)?.endMs ?? 0, allowed.sectionsS).map(async (section) => {
    await Promise.all(transcribed.filter(({ chunk }) => isIn(section, chunk)).map(({ promise }) => promise))
    await language(async () => {
      await scheduler.wait(languageCallMs(profile, section.endMs - section.startMs))
      await writeRow()
    })
    return Date.now() - beganAt
  })
  const transcribe = async (key: string, audioMs: number) => {
    await (await env.MEDIA.get(key))?.arrayBuffer()
    await scheduler.wait(speechCallMs(profile, audioMs))
    await writeRow()
  }
  await cutAudio(env.MEDIA, video, async ({ chunk, bytes, audioDurationMs }) => {
    const key = `floor/${chunk}`
    await env.MEDIA.put(key, bytes)
    transcribed[chunk]?.resolve(speech(() => transcribe(key, audioDurationMs)))
    // As in the product: without a rest, nothing else goes on while a slice is cut.
    await scheduler.wait(1)
  })
  const atMs = await Promise.all(writtenAt)
  await scheduler.wait(outlineMs(profile, chunks.at(-1)?.endMs ?? 0, allowed))
  await writeRow()
  return { readyMs: Date.now() - beganAt, firstStepMs: Math.min(...atMs) }
}

/** At most so many pieces of work at once; the others begin in their order. */
function openLines(count: number): (work: () => Promise<void>) => Promise<void> {
  const waiting: (() => void)[] = []
  let free = count
  return async (work) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    else free -= 1
    try {
      await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
