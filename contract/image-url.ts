import type { ImageName } from './image.ts'
import type { StepImage } from './step.ts'

/** Names the image of a step that begins then. */
export function imageNameOf(startMs: number): ImageName {
  return `step-${Math.max(0, Math.round(startMs))}`
}

/** Names an image of a video. @param mark undefined for the first video of a module, whose images have none */
export function nameInVideo(name: ImageName, mark: string | undefined): ImageName {
  return mark === undefined ? name : `${mark}.${name}`
}

/**
 * Names the image that a step is to have; null where it is to have none.
 * @param step with its start in seconds, and the mark of its video where it has one
 */
export function wantedImage({ start, imageAt, videoMark }: WantingStep): ImageName | null {
  if (imageAt === 'none') return null
  const name = imageAt === null ? imageNameOf(start * 1000) : `at-${Math.round(imageAt * 1000)}`
  return nameInVideo(name, videoMark)
}

interface WantingStep {
  start: number
  imageAt: StepImage
  videoMark?: string | undefined
}

/** Names the larger one of the two images of a step. */
export function largeName(name: ImageName): ImageName {
  return `${name}-960`
}

/** Names the wide one of the images of a step. */
export function wideName(name: ImageName): ImageName {
  return `${name}-1600w`
}

/** Names the smallest one of them, which is also the name of all. A step may begin at 960 ms. */
export function smallName(name: ImageName): ImageName {
  return name.replace(/(?<=\d)(-960|-1600w)$/, '')
}

/**
 * Path of another image of the same module: permission is given per module. Whether there is one is not known
 * before; an image that is missing answers 404.
 * @param posterUrl as a module's answer has it
 */
export function imageUrl(posterUrl: string, name: ImageName): string {
  return posterUrl.replace('/images/poster', `/images/${name}`)
}
