/** An image of one byte of lightness per pixel, row by row. */
export interface Gray {
  data: Uint8Array
  width: number
  height: number
}

/** A rectangle in pixels. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Reduces an image of four bytes per pixel, as a canvas has it, to its lightness (ITU-R BT.601). */
export function toGray({ data, width, height }: { data: Uint8ClampedArray; width: number; height: number }): Gray {
  const gray = new Uint8Array(width * height)
  for (let pixel = 0; pixel < gray.length; pixel++) {
    const at = pixel * 4
    gray[pixel] = (77 * (data[at] ?? 0) + 150 * (data[at + 1] ?? 0) + 29 * (data[at + 2] ?? 0)) >> 8
  }
  return { data: gray, width, height }
}

/** Writes an image as a portable graymap, which the engine reads without decoding. */
export function toPgm({ data, width, height }: Gray): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`)
  const file = new Uint8Array(head.length + data.length)
  file.set(head)
  file.set(data, head.length)
  return file
}
