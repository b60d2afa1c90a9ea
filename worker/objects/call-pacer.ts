import { DurableObject } from 'cloudflare:workers'
import { openContext } from '#worker/entry/open-context.ts'

/** A call of a model that asks when it may begin. */
export interface PacedCall {
  /** Calls of this kind that this deployment may begin in a minute. */
  perMinute: number
  /** Whether a person waits for the answer: it begins at once, and later calls give way, but never all of them. */
  isUrgent: boolean
  /** A call that would wait longer is refused, and takes no place. */
  maxWaitMs: number
}

/** When a call begins, or how long a refused one would wait. */
interface CallTurn {
  waitMs: number
  isGranted: boolean
}

/** The share of a minute's calls that may begin at once after a pause; the others are spread evenly over it. */
const BURST_SHARE = 0.1
/** The share of a call's time slot that an urgent call takes, so that the other calls keep the rest of each slot. */
const URGENT_SHARE = 0.7
/** How far urgent calls put off all others. The limit is one of a minute, and a call waits for its place as long. */
const URGENT_MAX_MS = 60_000

/**
 * Plans when a call begins, so that no minute has more calls than allowed, those apart that are urgent.
 * @param freeAtMs when the next call may begin, as the last plan has it; 0 before the first
 * @returns the turn, and when the call after it may begin
 */
export function planCall(freeAtMs: number, { perMinute, isUrgent, maxWaitMs }: PacedCall, nowMs: number) {
  const everyMs = 60_000 / (perMinute * (1 - BURST_SHARE))
  const burstMs = everyMs * Math.max(0, perMinute * BURST_SHARE - 1)
  const beginMs = Math.max(freeAtMs, nowMs - burstMs)
  const waitMs = isUrgent ? 0 : Math.max(0, Math.ceil(beginMs - nowMs))
  const isGranted = waitMs <= maxWaitMs
  const turn: CallTurn = { waitMs, isGranted }
  if (isUrgent) {
    const untilMs = Math.min(beginMs + everyMs * URGENT_SHARE, nowMs + URGENT_MAX_MS)
    // Slots that were granted to other calls stay theirs.
    return { turn, freeAtMs: Math.max(beginMs, untilMs) }
  }
  return { turn, freeAtMs: isGranted ? beginMs + everyMs : freeAtMs }
}

/** Paces the calls of one kind of model for all invocations of this deployment together. */
export class CallPacer extends DurableObject<Env> {
  /** Grants a call its turn, or refuses it. */
  take(call: PacedCall): CallTurn {
    const { kv } = this.ctx.storage
    const { turn, freeAtMs } = planCall(kv.get<number>('freeAtMs') ?? 0, call, openContext(this.env).nowMs())
    // Stored, so that an object that was moved or evicted continues with the same plan.
    kv.put('freeAtMs', freeAtMs)
    return turn
  }
}
