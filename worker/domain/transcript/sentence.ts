/** Sentence signs of the scripts that recognisers and captions use, with a closing quote or bracket after them. */
const SENTENCE_END = /[.!?…。！？।؟۔][\p{Pf}\p{Pe}"'*♪]*$/u
/** "e.g.", "Dr.", a single letter: a point that ends no sentence. */
const ABBREVIATION = /(?:^|[\s("'“])(?:\p{L}|e\.g|i\.e|etc|vs|mr|mrs|ms|dr|prof|st|no|fig|approx)\.$/iu
/** Scripts that are written without blanks between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Whether a sentence ends with this text. */
export function endsSentence(text: string): boolean {
  return SENTENCE_END.test(text) && !ABBREVIATION.test(text)
}

/** Joins words to text: with blanks, except between characters of a script that has none. */
export function joinWords(words: string[]): string {
  let text = ''
  for (const word of words) {
    const isUnspaced = UNSPACED.test(text.slice(-1)) && UNSPACED.test(word.slice(0, 1))
    text += text === '' || isUnspaced ? word : ` ${word}`
  }
  return text
}
