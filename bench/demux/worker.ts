import type { AudioChunk } from '#media/audio-chunk.ts'
import { cutAudioSlice } from '#media/cut-audio.ts'
import { readMediaFacts } from '#media/read-facts.ts'
import { R2Window } from '#worker/domain/media/r2-window.ts'

/** The ingest code with nothing around it: one request is what one queue message is in the product. */
interface BenchEnv {
  MEDIA: R2Bucket
}

const KEY = 'video'

export default {
  async fetch(request: Request, env: BenchEnv): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/idle') return Response.json({})
    if (pathname === '/store') return Response.json((await env.MEDIA.put(KEY, request.body))?.size)
    const head = await env.MEDIA.head(KEY)
    if (head === null) return new Response('Store a video first', { status: 404 })
    const source = new R2Window({ bucket: env.MEDIA, key: KEY, etag: head.etag, sizeBytes: head.size })
    if (pathname === '/read') return Response.json(await readThrough(source))
    const from = { fromMs: Number(searchParams.get('fromMs')), firstChunk: Number(searchParams.get('firstChunk')) }
    // As the product's later slices know it from the first.
    const knownMs = searchParams.get('knownMs')
    const saveChunk = async ({ chunk, bytes }: AudioChunk) => {
      if (searchParams.has('store')) await env.MEDIA.put(`chunk-${chunk}`, bytes)
      const sink = searchParams.get('sink')
      if (sink !== null) await (await fetch(sink, { method: 'PUT', body: bytes })).arrayBuffer()
    }
    const facts = await readMediaFacts(source, knownMs === null ? null : Number(knownMs))
    const end = await cutAudioSlice({ source, facts, ...from, saveChunk })
    const { reads, fetchedBytes } = source
    return Response.json({ ...end, durationMs: facts.durationMs, reads, fetchedBytes })
  },
}

/** What reading alone costs: every byte comes into the same window and is not used. */
async function readThrough(source: R2Window) {
  const STEP_BYTES = 256 * 1024
  for (let at = 0; at < source.sizeBytes; at += STEP_BYTES) await source.read(at, at + 1)
  return { reads: source.reads, fetchedBytes: source.fetchedBytes }
}
