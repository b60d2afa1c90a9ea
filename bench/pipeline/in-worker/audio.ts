import type { AudioChunk } from '#media/audio-chunk.ts'
import { cutAudioSlice } from '#media/cut-audio.ts'
import { readMediaFacts } from '#media/read-facts.ts'
import { openDb } from '#worker/db/db.ts'
import { R2Window } from '#worker/domain/media/read-source.ts'
import { updateModule } from '#worker/domain/module/module-store.ts'
import { insertChunks } from '#worker/domain/run/chunk-store.ts'
import type { RunId } from '#worker/domain/run/current-run.ts'
import { PROGRESS_CHECKED } from '#worker/domain/run/report-run.ts'
import { insertRun } from '#worker/domain/run/run-store.ts'

interface Cutting {
  bucket: R2Bucket
  video: string
  saveChunk: (chunk: AudioChunk) => Promise<void>
}

/** Cuts the audio of a whole video, one slice after the other, with nothing around it. @returns the video's length */
export async function cutAudio({ bucket, video, saveChunk }: Cutting): Promise<{ durationMs: number }> {
  const head = await bucket.head(video)
  if (head === null) throw new Error(`${video} is not stored`)
  const source = new R2Window({ bucket, key: video, etag: head.etag, sizeBytes: head.size })
  const facts = await readMediaFacts(source)
  for (let fromMs: number | null = 0, firstChunk = 0; fromMs !== null; ) {
    const end = await cutAudioSlice({ source, facts, fromMs, firstChunk, saveChunk })
    fromMs = end.nextMs
    firstChunk = end.nextChunk
  }
  return facts
}

/** R2 takes this many at once without anybody waiting for the slowest. */
const COPIES_AT_ONCE = 20

type ChunkFacts = Omit<AudioChunk, 'bytes'>

/** A video's audio as a browser would have cut it, kept once for all runs. */
interface KeptAudio {
  durationMs: number
  chunks: ChunkFacts[]
}

const keptChunkKey = (video: string, chunk: number) => `kept/${video}/${chunk}`

export async function keepAudio(bucket: R2Bucket, video: string): Promise<void> {
  const chunks: ChunkFacts[] = []
  const { durationMs } = await cutAudio({
    bucket,
    video,
    saveChunk: async ({ bytes, ...chunk }) => {
      await bucket.put(keptChunkKey(video, chunk.chunk), bytes)
      chunks.push(chunk)
    },
  })
  await bucket.put(`kept/${video}.json`, JSON.stringify({ durationMs, chunks } satisfies KeptAudio))
}

export async function readKeptAudio(bucket: R2Bucket, video: string): Promise<KeptAudio> {
  const kept = await bucket.get(`kept/${video}.json`)
  if (kept === null) throw new Error(`The audio of ${video} is not kept`)
  return kept.json<KeptAudio>()
}

/**
 * Leaves a module as it is when a browser has cut its audio during the upload and sent all of it: the chunks in R2,
 * their rows planned, their number known. Nothing is transcribed before the run gets its turn.
 */
export async function plantClientAudio(env: Env, moduleId: string, video: string): Promise<void> {
  const db = openDb(env.DB)
  const { durationMs, chunks } = await readKeptAudio(env.MEDIA, video)
  const start = {
    trigger: 'upload',
    request: null,
    message: 'Waiting for its turn',
    progress: PROGRESS_CHECKED,
  } as const
  const id = await insertRun(db, { ...start, moduleId, previousRun: 0, nowMs: Date.now() })
  if (id === null) throw new Error('Another run has begun')
  for (let from = 0; from < chunks.length; from += COPIES_AT_ONCE) {
    await Promise.all(chunks.slice(from, from + COPIES_AT_ONCE).map((chunk) => plantChunk(env, { id, video, chunk })))
  }
  await updateModule(db, moduleId, { durationMs })
  await env.DB.prepare('UPDATE runs SET chunk_count = ?3 WHERE module_id = ?1 AND run = ?2')
    .bind(moduleId, id.run, chunks.length)
    .run()
}

async function plantChunk(
  env: Env,
  { id, video, chunk }: { id: RunId; video: string; chunk: ChunkFacts },
): Promise<void> {
  const audio = await env.MEDIA.get(keptChunkKey(video, chunk.chunk))
  if (audio === null) throw new Error(`Chunk ${chunk.chunk} of ${video} is not kept`)
  const key = `chunks/${id.moduleId}/${id.run}/${chunk.chunk}`
  const bytes = await audio.arrayBuffer()
  await env.MEDIA.put(key, bytes, { httpMetadata: { contentType: chunk.contentType } })
  const planned = { ...id, ...chunk, key, sizeBytes: bytes.byteLength }
  await insertChunks(env.DB, id, { chunks: [planned], nowMs: Date.now() })
}
