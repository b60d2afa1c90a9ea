import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a program to its end; `signal` ends it early. @throws with what it complained about */
export async function run(program: string, args: string[], signal?: AbortSignal): Promise<void> {
  await execute(program, args, { maxBuffer: 10_000_000, signal })
}

export interface Cue {
  startMs: number
  endMs: number
  text: string
}

export interface Narration {
  /** What ffmpeg reads it with: bare samples of 16 kHz, mono. */
  input: string[]
  durationMs: number
  parts: Cue[][]
}

// A clear American voice that recognisers understand.
const VOICE = 'slt'
const SAMPLE_RATE_HZ = 16_000
const BYTES_PER_MS = (SAMPLE_RATE_HZ * 2) / 1000
// flite writes the plainest header there is.
const WAV_HEADER_BYTES = 44
const PAUSE_MS = { before: 600, sentence: 350, part: 1200, after: 1500 }

/** Speaks parts of sentences, with a short pause between sentences and a longer one between parts. */
export async function narrate(parts: string[][], dir: string): Promise<Narration> {
  const chunks: Buffer[] = [silence(PAUSE_MS.before)]
  const spoken: Cue[][] = []
  let nowMs: number = PAUSE_MS.before
  for (const [index, sentences] of parts.entries()) {
    const cues: Cue[] = []
    for (const [place, text] of sentences.entries()) {
      const samples = await speak(text, join(dir, `${index}-${place}.wav`))
      const lengthMs = samples.byteLength / BYTES_PER_MS
      cues.push({ startMs: Math.round(nowMs), endMs: Math.round(nowMs + lengthMs), text })
      const isLast = place === sentences.length - 1
      const pauseMs = !isLast ? PAUSE_MS.sentence : index === parts.length - 1 ? PAUSE_MS.after : PAUSE_MS.part
      chunks.push(samples, silence(pauseMs))
      nowMs += lengthMs + pauseMs
    }
    spoken.push(cues)
  }
  const path = join(dir, 'narration.raw')
  await writeFile(path, Buffer.concat(chunks))
  const input = ['-f', 's16le', '-ar', String(SAMPLE_RATE_HZ), '-ac', '1', '-i', path]
  return { input, durationMs: Math.round(nowMs), parts: spoken }
}

async function speak(text: string, path: string): Promise<Buffer> {
  await run('flite', ['-voice', VOICE, '-t', text, '-o', path])
  return (await readFile(path)).subarray(WAV_HEADER_BYTES)
}

function silence(lengthMs: number): Buffer {
  return Buffer.alloc(lengthMs * BYTES_PER_MS)
}
