import type { ImageName } from './image.ts'

/** Name of the image of a step that begins then. */
export function imageNameOf(startMs: number): ImageName {
  return `step-${Math.max(0, Math.round(startMs))}`
}

/**
 * Path of another image of the same module: permission is given per module. Whether there is one is not known
 * before; an image that is missing answers 404.
 * @param posterUrl as a module's answer has it
 */
export function imageUrl(posterUrl: string, name: ImageName): string {
  return posterUrl.replace(/\/images\/poster(?=\?|$)/, () => `/images/${name}`)
}
