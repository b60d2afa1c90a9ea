import type { Allowed, FloorTimes, RunRequest } from '../floor.ts'
import { languageCallMs, PROFILES, planSections, speechCallMs } from '../floor.ts'
import { cutAudio, keptChunkKey, readKeptAudio } from './audio.ts'

interface Chunk {
  chunk: number
  startMs: number
  endMs: number
  audioDurationMs: number
}

/**
 * Takes a video's audio through the models with the least that a pipeline which keeps its work can do: each chunk lies
 * in the bucket, is read again and has its call and one row written; each section has its call and one row. One
 * invocation does all of it: no queue, no claims, no steps. What remains of a real run's time beyond this is the
 * pipeline's own, on the machine and at the moment of the comparison.
 */
export async function runFloor(env: Env, { video, way, profile: name, allowed }: RunRequest & { allowed: Allowed }) {
  const profile = PROFILES[name]
  const speech = openLines(allowed.speechCalls)
  const language = openLines(allowed.languageCalls)
  await env.DB.prepare('CREATE TABLE IF NOT EXISTS bench_floor (at INTEGER, body TEXT)').run()
  const writeRow = () => env.DB.prepare('INSERT INTO bench_floor VALUES (?, ?)').bind(Date.now(), BODY).run()
  const { durationMs } = await readKeptAudio(env.MEDIA, video)
  const beganAt = Date.now()
  const transcribed: { chunk: Chunk; done: Promise<void> }[] = []
  const transcribe = (chunk: Chunk, key: string) => {
    const done = speech(async () => {
      await (await env.MEDIA.get(key))?.arrayBuffer()
      await scheduler.wait(speechCallMs(profile, chunk.audioDurationMs))
      await writeRow()
    })
    transcribed.push({ chunk, done })
  }
  const sections: Promise<number>[] = []
  const planned = planSections(durationMs, allowed.sectionsS)
  /** Sections whose chunks are all on their way. */
  const writeUntil = (endMs: number) => {
    for (let next = planned[sections.length]; next !== undefined && next.endMs <= endMs; ) {
      const section = next
      const own = transcribed.filter(({ chunk }) => chunk.startMs < section.endMs && chunk.endMs > section.startMs)
      const write = async () => {
        await Promise.all(own.map(({ done }) => done))
        await language(async () => {
          await scheduler.wait(languageCallMs(profile, section.endMs - section.startMs))
          await writeRow()
        })
        return Date.now() - beganAt
      }
      sections.push(write())
      next = planned[sections.length]
    }
  }
  if (way === 'client') {
    const { chunks } = await readKeptAudio(env.MEDIA, video)
    for (const chunk of chunks) transcribe(chunk, keptChunkKey(video, chunk.chunk))
  } else {
    await cutAudio({
      bucket: env.MEDIA,
      video,
      saveChunk: async ({ bytes, ...chunk }) => {
        await env.MEDIA.put(`floor/${chunk.chunk}`, bytes)
        transcribe(chunk, `floor/${chunk.chunk}`)
        writeUntil(chunk.endMs)
        // As in the product: without a rest, nothing else goes on while a slice is cut.
        await scheduler.wait(1)
      },
    })
  }
  writeUntil(Number.POSITIVE_INFINITY)
  const writtenAtMs = await Promise.all(sections)
  return { readyMs: Math.max(...writtenAtMs), firstStepMs: Math.min(...writtenAtMs) } satisfies FloorTimes
}

/** About what a chunk's words take in the database. */
const BODY = 'x'.repeat(6_000)

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
