/** A letter as the engine reads it. */
export interface Letter {
  text: string
  /** Where it begins and ends in its line, in pixels of the frame. */
  left: number
  right: number
}

/** A word as the engine reads it. */
export interface Word {
  letters: Letter[]
  /** 0 to 100. */
  confidence: number
}

/** What the engine reads in the picture of one line. */
export interface LineReading {
  words: Word[]
}

/** A line as text. */
export interface LineText {
  text: string
  /** How sure the engine is of each letter, 0 to 1. */
  confidences: readonly number[]
}

/** How sure the engine is of a text, 0 to 1. */
export function confidenceOf({ confidences }: Pick<LineText, 'confidences'>): { mean: number; least: number } {
  const mean = confidences.reduce((sum, each) => sum + each, 0) / Math.max(1, confidences.length)
  return { mean, least: Math.min(1, ...confidences) }
}

/** Quotes that screens and code have straight. */
const STRAIGHT: ReadonlyMap<string, string> = new Map([
  ['‘', "'"],
  ['’', "'"],
  ['“', '"'],
  ['”', '"'],
  ['—', '-'],
])

/** So short a word at an end of a line is an icon, a border or a caret where it is less sure than this. */
const ICON = { confidence: 55, letters: 2, marks: 3 }

/** Leaves out what the engine takes icons and carets for. */
function withoutIcons(words: readonly Word[]): Word[] {
  const read = words.filter(({ letters }) => letters.length > 0)
  const isMarks = ({ letters }: Word) => !letters.some(({ text }) => /[\p{L}\p{N}]/u.test(text))
  const isIcon = (word: Word | undefined, most: number) =>
    word !== undefined &&
    word.confidence < ICON.confidence &&
    word.letters.length <= (isMarks(word) ? ICON.marks : most)
  while (read.length > 1 && isIcon(read[0], ICON.letters)) read.shift()
  while (read.length > 1 && isIcon(read.at(-1), 0)) read.pop()
  return read
}

/** Makes text of what the engine read, with a space only where there is one in the picture. */
export function toText({ words }: LineReading): LineText | null {
  const read = withoutIcons(words)
  if (read.length === 0) return null
  const pitch = findPitch(read.flatMap(({ letters }) => letters))
  let text = ''
  const confidences: number[] = []
  let before: Letter | undefined
  for (const { letters, confidence } of read) {
    const [first] = letters
    const hasGap = before !== undefined && first !== undefined && hasSpace(before, first, pitch)
    const added = `${hasGap ? ' ' : ''}${letters.map((letter) => letter.text).join('')}`
    text += added
    for (let unit = 0; unit < added.length; unit++) confidences.push(confidence / 100)
    before = letters.at(-1)
  }
  const straight = pitch === null ? text : text.replaceAll(/[‘’“”—]/g, (mark) => STRAIGHT.get(mark) ?? mark)
  return { text: straight, confidences }
}

/** Fewer letters fit any pitch. */
const PITCH_LETTERS = 8
/** How far letters are off the grid of a font of fixed width, as a share of its pitch, at most. */
const OFF_GRID_MAX = 0.1

/** The width of each letter where all have the same, as in terminals and editors; null for other fonts. */
export function findPitch(letters: readonly Letter[]): number | null {
  const centres = letters.map(({ left, right }) => (left + right) / 2)
  if (centres.length < PITCH_LETTERS) return null
  const steps = centres.slice(1).map((centre, index) => centre - (centres[index] ?? 0))
  const near = steps.filter((step) => step > 0).toSorted((a, b) => a - b)
  const usual = near[Math.floor(near.length / 2)] ?? 0
  if (usual <= 0) return null
  const off = steps.map((step) => Math.abs(step / usual - Math.round(step / usual)))
  const mean = off.reduce((sum, each) => sum + each, 0) / off.length
  return mean <= OFF_GRID_MAX ? usual : null
}

/** Writing that has no spaces between words: Chinese, Japanese and Thai, and their punctuation. */
const WITHOUT_SPACES =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\u3000-\u303f\uff00-\uffef]/u

/** In fonts of fixed width a space is a letter wide, so centres are two apart. */
function hasSpace(before: Letter, after: Letter, pitch: number | null): boolean {
  if (WITHOUT_SPACES.test(before.text) && WITHOUT_SPACES.test(after.text)) return false
  if (pitch === null) return true
  return (after.left + after.right - before.left - before.right) / 2 >= 1.5 * pitch
}
