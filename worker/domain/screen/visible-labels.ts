import type { ScreenBlock } from '#contract/screen.ts'
import { trimEndOf } from '#worker/domain/trim-end.ts'
import { listCommands, type TimeRange } from './step-commands.ts'

/** The name of something on the screen, as it is written there. */
export interface VisibleLabel extends Pick<ScreenBlock, 'startMs' | 'endMs' | 'box'> {
  text: string
}

/** People speak of what they show a little before or after. */
const NEAR_MS = 10_000
/** Words of a line of which each begins with a capital letter: more than a name has. */
const MENU_BAR_MIN = 4
const CAPITALISED = /^\p{Lu}[\p{L}\p{M}]*$/u

/** Lists the names that are visible in a range of the video, or shortly before or after. A menu bar is several. */
export function listLabels(blocks: readonly ScreenBlock[], { startMs, endMs }: TimeRange): VisibleLabel[] {
  return blocks
    .filter((block) => block.startMs < endMs + NEAR_MS && block.endMs > startMs - NEAR_MS)
    .flatMap(({ kind, text, ...block }) => {
      if (kind !== 'label' && kind !== 'other') return []
      const words = text.split(/\s+/u)
      if (words.length >= MENU_BAR_MIN && words.every((word) => CAPITALISED.test(word)))
        return words.map((word) => ({ ...block, text: word }))
      // "Save As…" opens something, "Name:" stands before a field.
      return kind === 'label' ? [{ ...block, text: trimEndOf(text, /[\s:…*.]/u) }] : []
    })
    .filter(({ text }) => text !== '')
}

/** Lists what may be named in a range of the video, each once: commands and code, then names. */
export function listNamed(blocks: readonly ScreenBlock[], range: TimeRange): string[] {
  const names = [...listCommands(blocks, range), ...listLabels(blocks, range)].map(({ text }) => text)
  return [...new Set(names)]
}
