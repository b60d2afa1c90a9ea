import type { ImageName } from '#contract/image.ts'
import { imageNameOf, imageUrl } from '#contract/image-url.ts'
import { Done, type Module } from '#contract/module.ts'
import type { CallApi } from '#web/lib/api.ts'
import { POSTER_WIDTH_PX, posterTimeMs, THUMBNAIL_WIDTH_PX } from '#web/lib/files.ts'

/** The video reports its time about four times a second, and may play at double speed. */
const NEAR_MS = 1_000

interface Shown extends Pick<Module, 'id' | 'totalDuration' | 'posterUrl'> {
  steps: readonly { start: number }[]
}

interface MissingImagesDeps {
  callApi: CallApi
  /** What the video shows now. */
  draw: (maxWidthPx: number) => Promise<Blob | null>
  isThere: (url: string) => Promise<boolean>
}

/**
 * Makes the images of a module that are missing while its owner's video plays past them: where the browser that sent
 * the video could not decode it, and of steps that a person has added or moved.
 */
export class MissingImages {
  private readonly deps: MissingImagesDeps
  private readonly tried = new Set<ImageName>()

  constructor(deps: MissingImagesDeps) {
    this.deps = deps
  }

  /** The video stands here. Never rejects: images are an ornament. */
  async note(seconds: number, module: Shown): Promise<void> {
    const name = findDue(seconds * 1000, module)
    if (name === null || this.tried.has(name)) return
    this.tried.add(name)
    try {
      // Drawn first, because the video plays on during the request.
      const image = await this.deps.draw(name === 'poster' ? POSTER_WIDTH_PX : THUMBNAIL_WIDTH_PX)
      if (image === null) this.tried.delete(name)
      else await this.send(name, module, image)
    } catch (error) {
      console.info('A picture of this module could not be made', error)
    }
  }

  private async send(name: ImageName, { id, posterUrl }: Shown, content: Blob): Promise<void> {
    // A module without a poster has no other images either.
    if (posterUrl !== null && (await this.deps.isThere(imageUrl(posterUrl, name)))) return
    const path = `/api/modules/${encodeURIComponent(id)}/images/${name}`
    await this.deps.callApi({ path, method: 'PUT', file: { content, contentType: content.type }, schema: Done })
  }
}

/** The image that the video shows now; null when it is none of them. */
function findDue(timeMs: number, { posterUrl, totalDuration, steps }: Shown): ImageName | null {
  const isNear = (atMs: number) => timeMs >= atMs && timeMs < atMs + NEAR_MS
  const step = steps.find(({ start }) => isNear(start * 1000))
  if (step !== undefined) return imageNameOf(step.start * 1000)
  const isPosterDue = posterUrl === null && totalDuration !== null && isNear(posterTimeMs(totalDuration * 1000))
  return isPosterDue ? 'poster' : null
}
