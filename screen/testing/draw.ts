import type { Gray } from '../gray.ts'

/** A frame of one lightness. */
export function blank(width: number, height: number, lightness = 255): Gray {
  return { data: new Uint8Array(width * height).fill(lightness), width, height }
}

/** Fills a rectangle. */
export function fill({ data, width }: Gray, [x, y, wide, high]: readonly number[], lightness: number): void {
  for (let row = y ?? 0; row < (y ?? 0) + (high ?? 0); row++)
    data.fill(lightness, row * width + (x ?? 0), row * width + (x ?? 0) + (wide ?? 0))
}

/** Draws strokes as high as letters, one for each letter of a text and none for spaces. */
export function write(frame: Gray, text: string, { x, y, ink = 0 }: { x: number; y: number; ink?: number }): void {
  for (const [index, letter] of Array.from(text).entries())
    if (letter !== ' ') fill(frame, [x + index * 8, y, 3, 12], ink)
}
