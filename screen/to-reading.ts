import type { LineReading } from './line-text.ts'

/** What Tesseract says of a picture, as far as it is used here. */
export interface EngineBlocks {
  blocks:
    | {
        paragraphs: {
          lines: { words: { confidence: number; symbols: { text: string; bbox: { x0: number; x1: number } }[] }[] }[]
        }[]
      }[]
    | null
}

/** Tesseract's settings for pictures of one line each. */
export const ENGINE_SETTINGS = {
  // One line of text.
  tessedit_pageseg_mode: '7',
  // All lines are enlarged to one height.
  user_defined_dpi: '150',
} as const

/** Takes words and letters out of what Tesseract says. */
export function toReading({ blocks }: EngineBlocks): LineReading {
  const lines = (blocks ?? []).flatMap(({ paragraphs }) => paragraphs).flatMap((paragraph) => paragraph.lines)
  const words = lines
    .flatMap((line) => line.words)
    .map(({ confidence, symbols }) => ({
      confidence,
      letters: symbols.map(({ text, bbox }) => ({ text, left: bbox.x0, right: bbox.x1 })),
    }))
  return { words }
}
