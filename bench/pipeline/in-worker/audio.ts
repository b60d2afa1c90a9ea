import type { AudioChunk } from '#media/audio-chunk.ts'
import { cutAudioSlice } from '#media/cut-audio.ts'
import { readMediaFacts } from '#media/read-facts.ts'
import { openDb } from '#worker/db/db.ts'
import { R2Window } from '#worker/domain/media/r2-window.ts'
import { updateModule } from '#worker/domain/module/module-store.ts'
import { chunkKey, insertChunks } from '#worker/domain/run/chunk-store.ts'
import type { RunId } from '#worker/domain/run/fence.ts'

type SaveChunk = (chunk: AudioChunk) => Promise<void>

/** Cuts the audio of a whole video, one slice after the other, with nothing around it. @returns the video's length */
export async function cutAudio(bucket: R2Bucket, video: string, saveChunk: SaveChunk): Promise<{ durationMs: number }> {
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

/** Stores the audio of a run as a browser that has cut and sent all of it: the chunks in R2, their rows planned, their number known. */
export async function seedClientAudio({ DB, MEDIA }: Env, id: RunId, video: string): Promise<void> {
  let count = 0
  const { durationMs } = await cutAudio(MEDIA, video, async ({ bytes, ...chunk }) => {
    const key = chunkKey({ ...id, chunk: chunk.chunk })
    await MEDIA.put(key, bytes, { httpMetadata: { contentType: chunk.contentType } })
    const planned = { ...id, ...chunk, key, sizeBytes: bytes.byteLength }
    await insertChunks(DB, id, { chunks: [planned], nowMs: Date.now() })
    count += 1
  })
  await updateModule(openDb(DB), id.moduleId, { durationMs })
  const known = DB.prepare('UPDATE runs SET chunk_count = ?3 WHERE module_id = ?1 AND run = ?2')
  await known.bind(id.moduleId, id.run, count).run()
}
