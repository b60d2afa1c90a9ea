import fc from 'fast-check'
import type { AudioChunk } from '../../audio-chunk.ts'
import { type MediaFacts, readMediaFacts } from '../../read-facts.ts'
import { MediaFault } from '../../source/byte-window.ts'
import { cutAll, pickMedia } from '../cut-all.ts'
import { damage, damages } from './mutate-media.ts'
import { watchAllocations } from './watch-allocations.ts'

/** A whole file, and what is done with it once it is damaged. */
export interface MediaSeed {
  name: string
  bytes: Uint8Array
  tryFile: (file: Uint8Array<ArrayBuffer>) => Promise<FuzzEnd>
}

export interface FuzzEnd {
  /** What became of it, or the name of the failure. */
  name: string
  /** What should not have happened. */
  fault: string | null
}

export interface MediaFuzzReport {
  /** How many cases ended how. */
  ends: Record<string, number>
  slowestMs: number
  largestBytes: number
  /** What was wrong, a sentence each. */
  faults: string[]
}

/** Some milliseconds usually; a machine at its limits is slow. */
const LONGEST_MS = 2_000
/** One window for all reads, and what grows with the audio that is really there. */
const LARGEST_BYTES = 8 * 1024 * 1024
/** A day, in which no file of these says anything. */
const CHUNKS_MAX = 3_000

export interface FileFuzzOptions {
  seed: number
  cases: number
  /** What takes longer is a fault; tests, which share their machine, have no such time. */
  longestMs?: number
}

/** Damages files, and does with each what is done with it where people send it. */
export async function fuzzMedia(
  seeds: readonly MediaSeed[],
  { seed, cases, longestMs = LONGEST_MS }: FileFuzzOptions,
): Promise<MediaFuzzReport> {
  const report: MediaFuzzReport = { ends: {}, slowestMs: 0, largestBytes: 0, faults: [] }
  for (const [at, all] of fc.sample(damages, { seed, numRuns: cases }).entries()) {
    const { name, bytes, tryFile } = seeds[at % seeds.length] as MediaSeed
    const file = damage(bytes, all)
    const watched = watchAllocations()
    const startedMs = performance.now()
    const end = await tryFile(file).finally(() => watched.stop())
    const tookMs = performance.now() - startedMs
    const faults = end.fault === null ? [] : [end.fault]
    if (tookMs > longestMs) faults.push(`took ${Math.round(tookMs)} ms`)
    if (watched.largestBytes > LARGEST_BYTES) faults.push(`asked for ${watched.largestBytes} bytes at once`)
    report.ends[end.name] = (report.ends[end.name] ?? 0) + 1
    report.slowestMs = Math.max(report.slowestMs, tookMs)
    report.largestBytes = Math.max(report.largestBytes, watched.largestBytes)
    report.faults.push(
      ...faults.map((fault) => `case ${at} of seed ${seed}, ${name} after ${JSON.stringify(all)}: ${fault}`),
    )
  }
  return report
}

/** Looks into a video and cuts its audio, as the server does and the browser too. */
export async function tryVideo(file: Uint8Array): Promise<FuzzEnd> {
  try {
    const open = pickMedia(file)
    const facts = await readMediaFacts(open())
    const { chunks } = await cutAll({ open, facts })
    return { name: chunks.length > 0 ? 'cut' : 'silent', fault: findFactFault(facts) ?? findChunkFault(chunks) }
  } catch (error) {
    if (error instanceof MediaFault && error.message !== '') return { name: error.code, fault: null }
    return { name: 'fault', fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function findFactFault({ durationMs, audio }: MediaFacts): string | null {
  if (!Number.isInteger(durationMs) || durationMs < 0) return `lasts ${durationMs} ms`
  if (audio === null) return null
  const { sampleRate, channels } = audio
  return sampleRate > 0 && channels > 0 ? null : `has ${channels} channels at ${sampleRate} Hz`
}

function findChunkFault(chunks: readonly AudioChunk[]): string | null {
  if (chunks.length > CHUNKS_MAX) return `makes ${chunks.length} chunks`
  for (const [at, { chunk, startMs, endMs, audioStartMs, audioDurationMs, bytes }] of chunks.entries()) {
    const times = [startMs, endMs, audioStartMs, audioDurationMs]
    if (!times.every((ms) => Number.isSafeInteger(ms) && ms >= 0)) return `chunk ${chunk} has times ${times.join(', ')}`
    if (chunk !== at || endMs <= startMs) return `chunk ${chunk} goes from ${startMs} to ${endMs}`
    if (startMs !== (chunks[at - 1]?.endMs ?? 0)) return `chunk ${chunk} begins at ${startMs}`
    if (bytes.byteLength === 0) return `chunk ${chunk} is empty`
  }
  return null
}
