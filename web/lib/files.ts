import { CAPTION_ENDINGS, CAPTION_TYPES, type CaptionType } from '#contract/transcript.ts'

/** Null: not a caption file. The name decides, because systems disagree about these types or do not know them. */
export function captionTypeOf(file: { name: string }): CaptionType | null {
  const name = file.name.toLowerCase()
  return CAPTION_TYPES.find((type) => CAPTION_ENDINGS[type].some((ending) => name.endsWith(ending))) ?? null
}

/** What an input for a caption file takes. */
export const ACCEPT_CAPTIONS = Object.values(CAPTION_ENDINGS).flat().join(',')

/** An image that is larger than this at the lowest quality is left out; the server takes twice as much. */
const MAX_IMAGE_BYTES = 100 * 1024
const QUALITIES = [0.8, 0.6, 0.4, 0.2, 0.1]

/** Writes a canvas down as WebP or JPEG, with less quality until it fits. Null when it does not fit with the least. */
export async function encodeImage(canvas: OffscreenCanvas, maxBytes = MAX_IMAGE_BYTES): Promise<Blob | null> {
  for (const quality of QUALITIES) {
    const webp = await canvas.convertToBlob({ type: 'image/webp', quality })
    // Where WebP cannot be written (Safari), a PNG comes instead.
    const isWebp = webp.type === 'image/webp'
    const blob = isWebp ? webp : await canvas.convertToBlob({ type: 'image/jpeg', quality })
    if (blob.size <= maxBytes) return blob
  }
  return null
}

/** Wide enough for the player on a phone and for a card in the library. */
export const POSTER_WIDTH_PX = 640

/** Many videos begin black or with a title; a tenth in, what they are about can be seen. */
const POSTER_SHARE = 0.1
const POSTER_MAX_MS = 30_000

/** Time of the image that stands for a video. @param durationMs null when it is not known */
export function posterTimeMs(durationMs: number | null): number {
  return Math.min(POSTER_MAX_MS, (durationMs ?? 0) * POSTER_SHARE)
}
