import type { CallApi } from '#web/lib/api.ts'
import { CaptionCheck } from '#web/lib/captions/caption-check.ts'

interface GateDeps {
  callApi: CallApi
  /** How long a video lasts; null where that cannot be told. */
  measureVideo: (video: File) => Promise<number | null>
}

/** Holds an upload back until the captions that go with it are checked, for how long its video lasts. */
export class CaptionGate {
  readonly check: CaptionCheck
  private readonly deps: GateDeps
  private captions: File | null = null
  private held: (() => void) | null = null
  /** For which video the captions were checked last. */
  private checkedFor: File | null = null

  constructor(deps: GateDeps) {
    this.deps = deps
    this.check = new CaptionCheck(deps.callApi, () => this.release())
  }

  /** Whether an upload waits for its captions. */
  get isHolding(): boolean {
    return this.held !== null
  }

  /** Takes other captions, or none, with which an upload that waits goes on. */
  setCaptions(file: File | null): void {
    this.captions = file
    if (file !== null) {
      void this.check.open({ file, moduleId: null, durationMs: this.check.getState()?.durationMs ?? null })
      return
    }
    this.check.close()
    this.release()
  }

  /** Forgets the captions, and what waits for them. */
  clear(): void {
    this.drop()
    this.setCaptions(null)
  }

  /** Forgets the upload that waits: another takes its place. */
  drop(): void {
    this.held = null
  }

  /** @returns whether an upload may begin now; otherwise `start` is called once it may */
  pass(video: File | null, captions: File | null, start: () => void): boolean {
    this.drop()
    this.captions = captions
    if (captions === null || video === null) return true
    const checked = this.check.getState()
    if (checked?.file === captions && checked.isAccepted && this.checkedFor === video) return true
    this.held = start
    this.checkedFor = video
    void this.checkFor(video)
    return false
  }

  private async checkFor(video: File): Promise<void> {
    const durationMs = await this.deps.measureVideo(video)
    const { captions } = this
    if (captions === null || this.checkedFor !== video) return
    await this.check.open({ file: captions, moduleId: null, durationMs })
  }

  private release(): void {
    const start = this.held
    this.held = null
    start?.()
  }
}
