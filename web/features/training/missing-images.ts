import type { ImageName } from '#contract/image.ts'
import { wantedImage } from '#contract/image-url.ts'
import type { Module } from '#contract/module.ts'
import type { Step } from '#contract/step.ts'
import type { CallApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { posterTimeMs } from '#web/lib/files.ts'
import { holdImages, keepImage, keepStepImages } from '#web/lib/keep-images.ts'
import type { ImageMaker, StepImages } from '#web/lib/step-images.ts'

/** A page that has just been opened has other things to load. */
const BEGIN_AFTER_MS = 2_000
/** While the video plays, the line is left to it. */
const WAIT_WHILE_PLAYING_MS = 2_000

/** A module and its steps as its owner's page shows them. */
interface Shown extends Pick<Module, 'id' | 'totalDuration' | 'posterUrl'> {
  steps: readonly Pick<Step, 'start' | 'end' | 'image' | 'imageAt' | 'videoMark'>[]
}

export interface MissingImagesDeps {
  callApi: CallApi
  /** Of which video they are. */
  videoId?: string | null
  /** Opens the video beside the page; null where this browser cannot show it. */
  open: (signal: AbortSignal) => Promise<ImageMaker | null>
  /** Loads again which images there are, when another tab may have made some. */
  refresh: () => Promise<unknown>
  isPlaying: () => boolean
  wait: (delayMs: number) => Promise<void>
  onKept: (name: ImageName) => void
  /** The training has no room for more: those of its published versions are kept. */
  onFull: () => void
  /** Ends everything. */
  signal: AbortSignal
}

/**
 * Makes the images that a module lacks while its owner has it open: where the browser that sent the video could not
 * decode it, where no browser sent it, and of steps that begin elsewhere now. One after the other, each once.
 */
export class MissingImages {
  private readonly deps: MissingImagesDeps
  private readonly tried = new Set<ImageName>()
  private training: Shown | null = null
  private isAtWork = false
  private isFull = false

  constructor(deps: MissingImagesDeps) {
    this.deps = deps
  }

  /**
   * Sets the current training and starts making its missing images. Never throws, because a training works without
   * images.
   */
  note(training: Shown): void {
    this.training = training
    if (this.isAtWork || this.isFull || this.findNext() === null) return
    this.isAtWork = true
    void this.work(training.id)
  }

  private async work(moduleId: string): Promise<void> {
    const { wait, onFull, signal } = this.deps
    try {
      await wait(BEGIN_AFTER_MS)
      if (!signal.aborted) await holdImages(moduleId, () => this.makeAll())
    } catch (error) {
      if (signal.aborted) return
      this.isFull = error instanceof ApiError && error.code === 'images_full'
      if (this.isFull) onFull()
      else console.info('Pictures of this module are not complete', error)
    } finally {
      this.isAtWork = false
    }
  }

  private async makeAll(): Promise<void> {
    const { open, refresh, isPlaying, wait, signal } = this.deps
    await refresh()
    if (signal.aborted || this.findNext() === null) return
    const maker = await open(signal)
    if (maker === null) return
    for (let next = this.findNext(); next !== null && !signal.aborted; next = this.findNext()) {
      while (isPlaying() && !signal.aborted) await wait(WAIT_WHILE_PLAYING_MS)
      this.tried.add(next.name)
      await this.make(maker, next)
    }
  }

  private async make(maker: ImageMaker, { name, step }: Missing): Promise<void> {
    const { callApi, videoId = null, signal, onKept } = this.deps
    if (this.training === null || signal.aborted) return
    const { id: moduleId, totalDuration } = this.training
    const options = { moduleId, videoId, callApi, signal }
    if (step === null) {
      const poster = await maker.makePoster(posterTimeMs(totalDuration && totalDuration * 1000))
      if (poster === null) return
      await keepImage(options, name, poster)
    } else {
      const images = await makeImages(maker, step)
      if (images === null) return
      await keepStepImages(options, name, images)
    }
    onKept(name)
  }

  private findNext(): Missing | null {
    return this.training && (listMissing(this.training).find(({ name }) => !this.tried.has(name)) ?? null)
  }
}

interface Missing {
  name: ImageName
  /** Null for the poster. */
  step: Shown['steps'][number] | null
}

/** The poster comes first: it gives the addresses of all others. */
function listMissing({ posterUrl, steps }: Shown): Missing[] {
  const ofSteps = steps.flatMap((step): Missing[] => {
    const name = wantedImage(step)
    return name === null || step.image === name ? [] : [{ name, step }]
  })
  return posterUrl === null ? [{ name: 'poster', step: null }, ...ofSteps] : ofSteps
}

function makeImages(maker: ImageMaker, { start, end, imageAt }: Shown['steps'][number]): Promise<StepImages | null> {
  if (typeof imageAt === 'number') return maker.makeAt(imageAt * 1000)
  return maker.makeStep({ startMs: Math.round(start * 1000), endMs: Math.round(end * 1000) })
}
