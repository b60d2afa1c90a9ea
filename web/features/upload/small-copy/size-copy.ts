/** 720p, whichever way the picture stands. */
const SHORT_SIDE_MAX_PX = 720
const LONG_SIDE_MAX_PX = 1280

/**
 * The most bits a second of a small copy's picture. Encoders stay far below where little changes, so a still screen has
 * a fraction of it; a camera moves all the time.
 */
export const BITS_PER_S = { screen: 600_000, camera: 1_200_000 } as const
/**
 * What an encoder is told of a screen as long as the copy keeps its ceiling: it chooses how sharp text is by it, and spends
 * next to nothing of it where nothing moves.
 */
export const SHARP_BITS_PER_S = 8_000_000
export type PictureKind = keyof typeof BITS_PER_S

/** The size of a small copy's picture. Both sides are even, as encoders want them. */
export function sizeCopy({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const scale = Math.min(1, SHORT_SIDE_MAX_PX / Math.min(width, height), LONG_SIDE_MAX_PX / Math.max(width, height))
  const even = (side: number) => Math.max(2, 2 * Math.round((side * scale) / 2))
  return { width: even(width), height: even(height) }
}
