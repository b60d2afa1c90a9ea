import type { SharedStep } from '#contract/step.ts'
import { hashText } from '#worker/domain/signed-payload.ts'

/** A part of a training that is translated as a whole, and of which learners read either all in one language or nothing. */
export interface SourceItem {
  /** `title`, `chapters`, `step:<id>`, `answer:<id>` or `captions:<id of the first line>`. */
  item: string
  texts: string[]
  /** The same in another language, where the caption file has all of it in both. */
  given?: { language: string; texts: string[] }
}

/** Lines of captions that are translated together: about a minute, so that each is read with those around it. */
const CAPTION_LINES = 12

/** A line of captions. */
export interface CaptionLine {
  id: string
  text: string
  translated?: { language: string; text: string }
}

type TranslatedStep = Pick<SharedStep, 'id' | 'title' | 'description' | 'chapter' | 'callouts'>

/** Lists the parts of a training that learners read: its title, its chapters and its steps. */
export function listPageItems(title: string, steps: readonly TranslatedStep[]): SourceItem[] {
  const chapters = listChapters(steps)
  return [
    { item: 'title', texts: [title] },
    ...(chapters.length === 0 ? [] : [{ item: 'chapters', texts: chapters }]),
    ...steps.map((step) => ({
      item: `step:${step.id}`,
      texts: [step.title, step.description, ...step.callouts.map(({ text }) => text)],
    })),
  ]
}

/** Lists the titles of chapters, each once. */
export function listChapters(steps: readonly Pick<SharedStep, 'chapter'>[]): string[] {
  return [...new Set(steps.flatMap(({ chapter }) => chapter ?? []))]
}

/** Begins the names of the trainer's answers among the parts of a training. */
const ANSWER = 'answer:'

/** Whether a part is an answer of the trainer. */
export function isAnswer(item: string): boolean {
  return item.startsWith(ANSWER)
}

/** Lists what the trainer answered: each answer with its question, since neither is understood alone. */
export function listAnswerItems(answers: readonly { id: string; question: string; text: string }[]): SourceItem[] {
  return answers.map(({ id, question, text }) => ({ item: ANSWER + id, texts: [question, text] }))
}

/** Lists the parts of captions. */
export function listCaptionItems(lines: readonly CaptionLine[]): SourceItem[] {
  const items: SourceItem[] = []
  for (let index = 0; index < lines.length; index += CAPTION_LINES) {
    const part = lines.slice(index, index + CAPTION_LINES)
    const given = findGiven(part)
    const texts = part.map(({ text }) => text)
    items.push({ item: `captions:${part[0]?.id ?? ''}`, texts, ...(given !== null && { given }) })
  }
  return items
}

function findGiven(lines: readonly CaptionLine[]): Required<SourceItem>['given'] | null {
  const translated = lines.flatMap((line) => line.translated ?? [])
  const [first] = translated
  if (first === undefined || translated.length < lines.length) return null
  return { language: first.language, texts: translated.map(({ text }) => text) }
}

/** Hashes a source: a translation whose source has another one is of an earlier text. */
export function hashSource(texts: readonly string[]): Promise<string> {
  return hashText(JSON.stringify(texts), 12)
}

/** Characters of source that one call gets: a section of some minutes, and an answer of a thousand tokens. */
const BATCH_CHARS = 2_400

/** Groups parts that follow each other into calls. */
export function batchItems<Item extends SourceItem>(items: readonly Item[]): Item[][] {
  const batches: Item[][] = []
  let chars = Number.POSITIVE_INFINITY
  for (const item of items) {
    const length = item.texts.reduce((sum, text) => sum + text.length, 0)
    if (chars + length > BATCH_CHARS) {
      batches.push([])
      chars = 0
    }
    batches.at(-1)?.push(item)
    chars += length
  }
  return batches
}
