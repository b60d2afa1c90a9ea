import { Done } from '#contract/module.ts'
import type { PictureName } from '#contract/picture.ts'
import { pictureNameOf, pictureUrl } from '#contract/picture-url.ts'
import type { CallApi } from '#web/lib/api-context.tsx'
import { POSTER_WIDTH_PX, posterTimeMs, THUMBNAIL_WIDTH_PX } from '#web/lib/encode-picture.ts'

/** The video reports its time about four times a second, and may play at double speed. */
const NEAR_MS = 1_000

interface Shown {
  id: string
  /** Seconds. */
  totalDuration: number | null
  posterUrl: string | null
  steps: readonly { start: number }[]
}

interface MissingPicturesDeps {
  callApi: CallApi
  /** What the video shows now. */
  draw: (maxWidthPx: number) => Promise<Blob | null>
  /** Whether there is a picture at that address. */
  isThere: (url: string) => Promise<boolean>
}

/**
 * Makes the pictures of a module that are missing while its owner's video plays past them: where the browser that sent
 * the video could not decode it, and of steps that a person has added or moved.
 */
export class MissingPictures {
  private readonly deps: MissingPicturesDeps
  private readonly tried = new Set<PictureName>()

  constructor(deps: MissingPicturesDeps) {
    this.deps = deps
  }

  /** The video stands here. Never rejects: pictures are an ornament. */
  async note(seconds: number, module: Shown): Promise<void> {
    const name = findDue(seconds * 1000, module)
    if (name === null || this.tried.has(name)) return
    this.tried.add(name)
    try {
      // Drawn first, because the video plays on during the request.
      const picture = await this.deps.draw(name === 'poster' ? POSTER_WIDTH_PX : THUMBNAIL_WIDTH_PX)
      if (picture === null) this.tried.delete(name)
      else if (!(await this.isKept(name, module))) await this.keep(name, module, picture)
    } catch (error) {
      console.info('A picture of this module could not be made', error)
    }
  }

  /** A module without a poster has no other pictures either. */
  private async isKept(name: PictureName, { posterUrl }: Shown): Promise<boolean> {
    return posterUrl !== null && this.deps.isThere(pictureUrl(posterUrl, name))
  }

  private async keep(name: PictureName, { id }: Shown, content: Blob): Promise<void> {
    const path = `/api/modules/${encodeURIComponent(id)}/pictures/${name}`
    await this.deps.callApi({ path, method: 'PUT', file: { content, contentType: content.type }, schema: Done })
  }
}

/** The picture that the video shows now; null when it is none of them. */
function findDue(timeMs: number, { posterUrl, totalDuration, steps }: Shown): PictureName | null {
  const isNear = (atMs: number) => timeMs >= atMs && timeMs < atMs + NEAR_MS
  const step = steps.find(({ start }) => isNear(start * 1000))
  if (step !== undefined) return pictureNameOf(step.start * 1000)
  const isPosterDue = posterUrl === null && totalDuration !== null && isNear(posterTimeMs(totalDuration * 1000))
  return isPosterDue ? 'poster' : null
}
