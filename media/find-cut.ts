import type { AudioPacket } from './audio-chunk.ts'

/** Where audio may be cut, and how loud it is there. */
type CutCandidate = Pick<AudioPacket, 'startMs' | 'loudness'>

interface CutRange {
  /** Where the cut is when all places are equally loud. */
  targetMs: number
  /** How far from the target a quieter cut may be. */
  reachMs: number
}

/** A pause between words lasts about this long; a single quiet packet inside a word is shorter. */
const PAUSE_MS = 300
/** Smaller differences in loudness are ignored: the cut nearer to the target wins. */
const EQUAL_LOUDNESS = 0.05

/**
 * Finds the quietest place around the target, so that no word is cut through. With unknown or constant loudness it is
 * the packet nearest to the target. Depends on nothing but the packets within the range and `PAUSE_MS / 2` around it.
 * @param packets in order of time
 * @returns null when no packet starts within the range
 */
export function findCut(packets: readonly CutCandidate[], { targetMs, reachMs }: CutRange): number | null {
  let best: { startMs: number; loudness: number } | null = null
  let from = 0
  for (const { startMs } of packets) {
    if (startMs < targetMs - reachMs || startMs > targetMs + reachMs) continue
    while ((packets[from]?.startMs ?? startMs) < startMs - PAUSE_MS / 2) from++
    const loudness = meanLoudness(packets, from, startMs + PAUSE_MS / 2)
    const isNearer = best === null || Math.abs(startMs - targetMs) < Math.abs(best.startMs - targetMs)
    const difference = best === null ? 0 : loudness - best.loudness
    if (difference < -EQUAL_LOUDNESS || (difference <= EQUAL_LOUDNESS && isNearer)) best = { startMs, loudness }
  }
  return best?.startMs ?? null
}

function meanLoudness(packets: readonly CutCandidate[], from: number, untilMs: number): number {
  let sum = 0
  let count = 0
  for (let i = from; i < packets.length; i++) {
    const packet = packets[i]
    if (packet === undefined || packet.startMs >= untilMs) break
    sum += packet.loudness ?? 0
    count++
  }
  return count === 0 ? 0 : sum / count
}
