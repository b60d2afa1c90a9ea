import { AppError } from '#worker/core/errors.ts'
import { isContentWord } from './extractive/sentences.ts'

/** Scripts whose characters are words. */
const SIGN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}])+/gu
/** Words that begin alike are forms of one word, in languages that there are no rules for. */
const FORM_CHARS = 4
/** Fewer titles may happen to be alike. */
const MIN_LOOPED = 4

/**
 * Judges an answer by its titles. One that has no word of what was said is in another language, of another video or of
 * the instructions, and becomes empty, so that the words give one. Where most are so, or are the same title again and
 * again, nothing else in the answer is worth more. Of 240 titles by a strong model each had a word of what was said.
 * @param known all that a title may be about: the transcript, the title of the video, its glossary
 * @throws {AppError} ai_failed where the answer is of no use
 */
export function groundTitles<Titled extends { title: string }>(
  answer: readonly Titled[],
  known: readonly string[],
): Titled[] {
  const said = new Set(known.flatMap(listForms))
  const isInvented = ({ title }: Titled) => {
    const forms = listForms(title)
    return forms.length > 0 && !forms.some((form) => said.has(form))
  }
  if (answer.filter(isInvented).length * 2 > answer.length)
    throw new AppError('ai_failed', 'Most titles have no word of the transcript.')
  const counts = Map.groupBy(answer, ({ title }) => title.toLowerCase())
  const repeated = Math.max(0, ...[...counts.values()].map(({ length }) => length))
  if (answer.length >= MIN_LOOPED && repeated * 2 > answer.length)
    throw new AppError('ai_failed', 'Most titles are the same.')
  return answer.map((each) => (isInvented(each) ? { ...each, title: '' } : each))
}

/** The words of a text that say something, each as far as all its forms have it. */
function listForms(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? []
  return words
    .filter((word) => SIGN.test(word) || (isContentWord(word) && !/^\p{N}/u.test(word)))
    .map((word) => word.slice(0, FORM_CHARS))
}
