import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../media/narrate.ts'
import { recognise } from './recognise.ts'
import type { Transcription } from './transcription.ts'

/** What one call of the recogniser gets. */
export const CHUNK_S = 30

/**
 * Cuts a recording into audio chunks and transcribes them one after the other, as the recogniser of a fresh machine does.
 * @param audio arguments of ffmpeg that read and encode its audio
 * @param format of the chunks
 */
export async function recogniseChunks(audio: readonly string[], format: 'm4a' | 'wav'): Promise<Transcription[]> {
  const workDir = await mkdtemp(join(tmpdir(), 'adapt-chunks-'))
  try {
    const cut = ['-f', 'segment', '-segment_time', String(CHUNK_S), join(workDir, `chunk-%03d.${format}`)]
    await run('ffmpeg', ['-loglevel', 'error', ...audio, ...cut])
    const { signal } = new AbortController()
    const chunks: Transcription[] = []
    for (const name of (await readdir(workDir)).sort()) {
      chunks.push(await recognise(await readFile(join(workDir, name)), { workDir, signal }))
    }
    return chunks
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}
