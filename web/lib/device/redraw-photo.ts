import { REPORT_PHOTO_MAX_BYTES } from '#contract/limits.ts'

/** Widths, and qualities of the format, until one is small enough. */
const TRIES = [
  { px: 1_280, quality: 0.8 },
  { px: 1_280, quality: 0.6 },
  { px: 960, quality: 0.6 },
  { px: 720, quality: 0.5 },
  { px: 480, quality: 0.4 },
] as const

/**
 * Draws a photo again, so that nothing is left of it but its picture: no place, no time, no device.
 * @returns Base64 of what {@link redrawToFile} has drawn
 */
export async function redrawPhoto(file: Blob): Promise<{ base64: string; type: string } | null> {
  const drawn = await redrawToFile(file)
  return drawn && { base64: await toBase64(drawn), type: drawn.type }
}

/** Draws a photo again. @returns a WebP, or a JPEG where the browser writes no WebP; null for what is no picture */
export async function redrawToFile(file: Blob): Promise<Blob | null> {
  let picture: ImageBitmap | undefined
  try {
    picture = await createImageBitmap(file)
    for (const { px, quality } of TRIES) {
      const drawn = await draw(picture, px, quality)
      if (drawn.size <= REPORT_PHOTO_MAX_BYTES) return drawn
    }
  } catch {
    // No picture, or none that this browser reads.
  } finally {
    // Twelve megapixels are 48 MB, and a signature may have many photos.
    picture?.close()
  }
  return null
}

async function draw(picture: ImageBitmap, maxPx: number, quality: number): Promise<Blob> {
  const scale = Math.min(1, maxPx / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  const webp = await write(canvas, 'image/webp', quality)
  // A browser without it writes PNG.
  return webp.type === 'image/webp' ? webp : write(canvas, 'image/jpeg', quality)
}

function write(canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob> {
  return new Promise((resolve, reject) => {
    // not-shown: for developers.
    const fail = () => reject(new Error('The canvas is empty.'))
    canvas.toBlob((blob) => (blob === null ? fail() : resolve(blob)), type, quality)
  })
}

async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary)
}
