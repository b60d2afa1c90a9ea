/** Long enough to smooth an unsteady connection, short enough to follow one that changes. */
const WINDOW_MS = 10_000
/** Before that, any number would be a guess. */
const MIN_SPAN_MS = 1_500

interface Sample {
  atMs: number
  sentBytes: number
}

/** Bytes per second over the last ten seconds. */
export class RateMeter {
  private samples: Sample[] = []

  /** A pause, or a part that begins again, is not a speed. */
  reset(): void {
    this.samples = []
  }

  /** @returns null while there are too few samples. */
  note(sentBytes: number, atMs: number): number | null {
    const last = this.samples.at(-1)
    if (last && sentBytes < last.sentBytes) this.reset()
    this.samples.push({ atMs, sentBytes })
    while (this.samples.length > 2 && atMs - (this.samples[1]?.atMs ?? atMs) >= WINDOW_MS) this.samples.shift()
    const first = this.samples[0]
    if (!first || atMs - first.atMs < MIN_SPAN_MS) return null
    return ((sentBytes - first.sentBytes) * 1000) / (atMs - first.atMs)
  }
}
