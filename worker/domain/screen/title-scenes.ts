import type { ScreenBlock } from '#contract/screen.ts'
import type { ProposalsAnswer } from '#contract/step.ts'
import type { Context } from '#worker/core/context.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { readScreen } from './read-screen.ts'

/** A longer line is a sentence, and no name of what is done. */
const TITLE_MAX_CHARS = 60
/** Signs and single letters name nothing. */
const TITLE_MIN_LETTERS = 2
/** Scenes are found at whole frames a second apart, and lines at others. */
const EARLY_MS = 1_500
/** What comes later in a scene belongs to what is done in it, not to what it is about. */
const OPENING_MS = 10_000
/** Lines of about the same height are one size of letters. */
const SAME_HEIGHT = 0.85

/** Part of a video. Milliseconds. */
interface Scene {
  startMs: number
  endMs: number
}

/**
 * Names a scene after what the screen newly shows at its beginning: the line with the largest letters, of several the
 * topmost. Commands come last: what they do is not written on them.
 * @returns null where nothing new is shown
 */
export function titleScene({ startMs, endMs }: Scene, blocks: readonly ScreenBlock[]): string | null {
  const fromMs = startMs - EARLY_MS
  const before = new Set(blocks.filter((block) => block.startMs < fromMs).map(({ text }) => text))
  const fresh = blocks.filter(
    (block) => block.startMs >= fromMs && block.startMs < endMs && !before.has(block.text) && isName(block.text),
  )
  const opening = fresh.filter((block) => block.startMs < startMs + OPENING_MS)
  const isLabel = ({ kind }: ScreenBlock) => kind === 'label' || kind === 'other'
  const groups = [opening.filter(isLabel), fresh.filter(isLabel), fresh]
  const found = groups.find((group) => group.length > 0) ?? []
  const largest = found.reduce((most, { box }) => Math.max(most, box.height), 0)
  const [title] = found
    .filter(({ box }) => box.height >= SAME_HEIGHT * largest)
    .toSorted((left, right) => left.box.y - right.box.y || left.box.x - right.box.x)
  return title === undefined ? null : tidy(title.text)
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function isName(text: string): boolean {
  return tidy(text).length <= TITLE_MAX_CHARS && (text.match(/\p{L}/gu)?.length ?? 0) >= TITLE_MIN_LETTERS
}

/** Adds to scenes without a name what the screen suggests. Only a person makes steps of them. */
export async function suggestTitles(
  context: Pick<Context, 'bucket' | 'db'>,
  module: ModuleRow,
  answer: ProposalsAnswer,
): Promise<ProposalsAnswer> {
  if (!answer.proposals.some(({ title }) => title === '')) return answer
  const blocks = await readScreen(context, module)
  const proposals = answer.proposals.map((proposal) => {
    const { title, start, end } = proposal
    const suggested = title === '' ? titleScene({ startMs: start * 1_000, endMs: end * 1_000 }, blocks) : null
    return suggested === null ? proposal : { ...proposal, suggestedTitle: suggested }
  })
  return { ...answer, proposals }
}
