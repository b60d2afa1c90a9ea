import type { PictureName } from './picture.ts'

/** Name of the picture of a step that begins then. */
export function pictureNameOf(startMs: number): PictureName {
  return `step-${Math.max(0, Math.round(startMs))}`
}

/**
 * Path of another picture of the same module: permission is given per module. Whether there is one is not known
 * before; a picture that is missing answers 404.
 * @param posterUrl as a module's answer has it
 */
export function pictureUrl(posterUrl: string, name: PictureName): string {
  return posterUrl.replace(/\/pictures\/poster(?=\?|$)/, () => `/pictures/${name}`)
}
