import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FailureCode } from '#contract/module.ts'
import type { AudioChunk, AudioContentType } from '../../audio-chunk.ts'
import { readMediaFacts } from '../../read-facts.ts'
import { MediaFault } from '../../source/byte-window.ts'
import { cutAll, pickMedia } from '../cut-all.ts'
import type { MadeFile } from './odd-files.ts'
import { decode, RATE } from './run-tools.ts'

/** What became of a file: how it was refused, or how its audio differs from what ffmpeg decodes. */
export interface CutReport {
  refusal: Refusal | null
  /** What is wrong, a sentence each. */
  faults: string[]
}

export interface Refusal {
  code: FailureCode
  reason: string
}

/** Chunks short enough that nine seconds have a few cuts. */
const CHUNK_MS = 4_000
const OVERLAP_MS = 1_000
/** Nine seconds, and a gap or two. */
const CHUNKS_MAX = 5
/** Of the whole video, by its packets. */
const LENGTH_TOLERANCE_MS = 100
/** Of speech against itself, decoded from another place on. */
const LIKENESS_MIN = 0.8

const SUFFIXES: Record<AudioContentType, string> = {
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
}

/** Cuts a file with the reader that browser and server share, and compares what comes with the whole, as ffmpeg decodes it. */
export async function compareCut(
  { path, comparedWith, uncut, rightTracks, filters, lengthMs, tolerances }: MadeFile,
  folder: string,
): Promise<CutReport> {
  try {
    const open = pickMedia(new Uint8Array(readFileSync(path)))
    const facts = await readMediaFacts(open())
    if (facts.audio === null) return { refusal: refuseAudio(facts.unsupportedAudio), faults: [] }
    const { chunks } = await cutAll({ open, facts, chunkMs: CHUNK_MS, overlapMs: OVERLAP_MS, sliceMs: 4_000 })
    const wholes = rightTracks.map((track) => decode(comparedWith, track, filters))
    const faults = [
      ...compareLength(chunks, wholes, tolerances),
      ...compareChunks(chunks, wholes, { folder, filters, tolerances }),
    ]
    if (chunks.length > CHUNKS_MAX) faults.push(`it is cut into ${chunks.length} chunks`)
    if (lengthMs !== null && Math.abs(facts.durationMs - lengthMs) > LENGTH_TOLERANCE_MS) {
      faults.push(`it lasts ${facts.durationMs} instead of ${Math.round(lengthMs)} ms`)
    }
    if (uncut !== null)
      faults.push(...rightTracks.flatMap((track) => compareKept(chunks, decode(uncut, track, filters))))
    return { refusal: null, faults }
  } catch (error) {
    if (error instanceof MediaFault) return { refusal: { code: error.code, reason: error.message }, faults: [] }
    throw error
  }
}

function refuseAudio(format: string | null): Refusal {
  return format === null ? { code: 'no_audio', reason: 'no audio' } : { code: 'unsupported_codec', reason: format }
}

/** A file of a chunk. */
type CutFile = Omit<AudioChunk, 'parts'>

function listFiles({ parts, bytes, ...chunk }: AudioChunk): CutFile[] {
  let from = parts.reduce((left, { sizeBytes }) => left - sizeBytes, bytes.byteLength)
  const first = { ...chunk, bytes: bytes.slice(0, from) }
  const others = parts.map(({ sizeBytes, ...part }) => {
    from += sizeBytes
    return { ...chunk, ...part, bytes: bytes.slice(from - sizeBytes, from) }
  })
  return [first, ...others]
}

function endOf(chunks: readonly AudioChunk[]): number {
  return Math.max(
    0,
    ...chunks.flatMap(listFiles).map(({ audioStartMs, audioDurationMs }) => audioStartMs + audioDurationMs),
  )
}

function compareLength(
  chunks: readonly AudioChunk[],
  wholes: readonly Float32Array[],
  { lengthMs }: MadeFile['tolerances'],
): string[] {
  const wholeMs = Math.max(...wholes.map(({ length }) => (length * 1000) / RATE))
  const endMs = endOf(chunks)
  return Math.abs(endMs - wholeMs) <= lengthMs
    ? []
    : [`its audio ends at ${endMs} instead of ${Math.round(wholeMs)} ms`]
}

function compareChunks(
  chunks: readonly AudioChunk[],
  wholes: readonly Float32Array[],
  { folder, filters, tolerances }: Pick<MadeFile, 'filters' | 'tolerances'> & { folder: string },
): string[] {
  const tracks = wholes.map((whole) => ({ whole, covered: new Uint8Array(Math.ceil((whole.length * 10) / RATE)) }))
  const faults = chunks.flatMap(listFiles).flatMap((file) => {
    const path = join(folder, `chunk.${SUFFIXES[file.contentType]}`)
    writeFileSync(path, file.bytes)
    const cut = decode(path, 0, filters)
    // Which track a file is of is not said: it is the one that it is like.
    const compared = tracks.map((track) => ({
      track,
      faults: compareOne(file, { cut, whole: track.whole, tolerances }),
    }))
    const fewest = Math.min(...compared.map(({ faults }) => faults.length))
    for (const { track, faults } of compared) if (faults.length === fewest) cover(track.covered, file)
    return compared.find(({ faults }) => faults.length === fewest)?.faults ?? []
  })
  for (const { whole, covered } of tracks) {
    // The last tenth may be cut by the tolerance of the length.
    const isLost = (at: number) => covered[at] === 0 && isLoud(whole, at)
    const left = covered.subarray(0, -2).findIndex((_, at) => {
      return Array.from({ length: tolerances.lost + 1 }, (_each, next) => at + next).every(isLost)
    })
    if (left >= 0) faults.push(`nothing was cut of ${left * 100} ms`)
  }
  return faults
}

function cover(covered: Uint8Array, { audioStartMs, audioDurationMs }: CutFile): void {
  covered.fill(1, Math.floor(audioStartMs / 100), Math.ceil((audioStartMs + audioDurationMs) / 100))
}

/** Of the speech of a whole file, what a part of it may miss without being refused. */
const LOST_SHARE_MAX = 0.1

function compareKept(chunks: readonly AudioChunk[], uncut: Float32Array): string[] {
  const endMs = endOf(chunks)
  const loud = Array.from({ length: Math.floor((uncut.length * 10) / RATE) }, (_, at) => at).filter((at) =>
    isLoud(uncut, at),
  )
  const lost = loud.filter((at) => at * 100 >= endMs).length
  return lost <= LOST_SHARE_MAX * loud.length ? [] : [`${lost} of ${loud.length} tenths of a second of speech are lost`]
}

function isLoud(whole: Float32Array, tenth: number): boolean {
  return energyOf(whole.subarray((tenth * RATE) / 10, ((tenth + 1) * RATE) / 10)) > 0.001
}

function compareOne(
  { chunk, audioStartMs, audioDurationMs }: CutFile,
  { cut, whole, tolerances }: { cut: Float32Array; whole: Float32Array } & Pick<MadeFile, 'tolerances'>,
): string[] {
  const lengthMs = (cut.length * 1000) / RATE
  const faults: string[] = []
  if (Math.abs(lengthMs - audioDurationMs) > tolerances.lengthMs) {
    faults.push(`chunk ${chunk} plays ${Math.round(lengthMs)} instead of ${audioDurationMs} ms`)
  }
  const windowLength = RATE / 2
  const places = [0.15, 0.5, 0.85]
    .map((share) => Math.floor(share * (cut.length - windowLength)))
    .filter((at) => at >= 0)
  for (const at of places) {
    const piece = cut.subarray(at, at + windowLength)
    const expectedAt = Math.round((audioStartMs * RATE) / 1000) + at
    if (
      energyOf(piece) < 0.0005 &&
      energyOf(whole.subarray(Math.max(0, expectedAt), expectedAt + windowLength)) < 0.0005
    )
      continue
    const { shiftMs, likeness } = findShift(piece, whole, expectedAt)
    if (likeness < LIKENESS_MIN)
      faults.push(
        `chunk ${chunk} is something else at ${Math.round((expectedAt * 1000) / RATE)} ms (${likeness.toFixed(2)})`,
      )
    else if (Math.abs(shiftMs) > tolerances.shiftMs) faults.push(`chunk ${chunk} is ${Math.round(shiftMs)} ms off`)
  }
  return faults
}

function energyOf(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return samples.length === 0 ? 0 : sum / samples.length
}

const SEARCH_MS = 200

/** Where a piece fits best around its place, by normalised cross-correlation. */
function findShift(
  piece: Float32Array,
  whole: Float32Array,
  expectedAt: number,
): { shiftMs: number; likeness: number } {
  const reach = (SEARCH_MS * RATE) / 1000
  const norm = Math.sqrt(energyOf(piece) * piece.length)
  let best = { shiftMs: 0, likeness: -1 }
  for (let shift = -reach; shift <= reach; shift += 4) {
    const from = expectedAt + shift
    if (from < 0 || from + piece.length > whole.length) continue
    let [product, energy] = [0, 0]
    for (let i = 0; i < piece.length; i += 2) {
      const other = whole[from + i] ?? 0
      product += (piece[i] ?? 0) * other
      energy += other * other
    }
    const likeness = (2 * product) / (norm * Math.sqrt(2 * energy) + 1e-9)
    if (likeness > best.likeness) best = { shiftMs: (shift * 1000) / RATE, likeness }
  }
  return best
}
