import type { AudioChunk } from '#media/audio-chunk.ts'
import { cutAudioSlice } from '#media/cut-audio.ts'
import { readMediaFacts } from '#media/read-facts.ts'
import { openDb } from '#worker/db/db.ts'
import { R2Window } from '#worker/domain/media/read-source.ts'
import { updateModule } from '#worker/domain/module/module-store.ts'
import { insertChunks } from '#worker/domain/run/chunk-store.ts'
import { insertRun, PROGRESS_CHECKED } from '#worker/domain/run/run-store.ts'

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

/**
 * Leaves a module as it is when a browser has cut its audio during the upload and sent all of it: the chunks in R2,
 * their rows planned, their number known. Nothing is transcribed before the run gets its turn.
 */
export async function plantClientAudio({ DB, MEDIA }: Env, moduleId: string, video: string): Promise<void> {
  const db = openDb(DB)
  const start = {
    trigger: 'upload',
    request: null,
    message: 'Waiting for its turn',
    progress: PROGRESS_CHECKED,
  } as const
  const id = await insertRun(db, { ...start, moduleId, previousRun: 0, nowMs: Date.now() })
  if (id === null) throw new Error('Another run has begun')
  let count = 0
  const saveChunk = async ({ bytes, ...chunk }: AudioChunk) => {
    const key = `chunks/${moduleId}/${id.run}/${chunk.chunk}`
    await MEDIA.put(key, bytes, { httpMetadata: { contentType: chunk.contentType } })
    const planned = { ...id, ...chunk, key, sizeBytes: bytes.byteLength }
    await insertChunks(DB, id, { chunks: [planned], nowMs: Date.now() })
    count += 1
  }
  const { durationMs } = await cutAudio({ bucket: MEDIA, video, saveChunk })
  await updateModule(db, moduleId, { durationMs })
  await DB.prepare('UPDATE runs SET chunk_count = ?3 WHERE module_id = ?1 AND run = ?2')
    .bind(moduleId, id.run, count)
    .run()
}
