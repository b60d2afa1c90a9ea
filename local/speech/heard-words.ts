/** A word as the recogniser heard it; times in seconds from the beginning of the audio, probability 0–1. */
export interface HeardWord {
  word: string
  start: number
  end: number
  probability: number
}

// `-time yes` prints one line per word: text, begin and end in seconds, posterior probability.
const WORD_LINE = /^(\S+) (\d+\.\d{3}) (\d+\.\d{3}) (\d+\.\d{6})$/
// Silence, sentence marks and fillers: <s>, </s>, <sil>, [NOISE], [SPEECH], ++COUGH++.
const NOT_A_WORD = /^(?:<.*>|\[.*\]|\+\+.*\+\+)$/
const PRONUNCIATION_VARIANT = /\(\d+\)$/

/**
 * Reads what `pocketsphinx_continuous -time yes` prints. Lines of whole sentences are left out, and so is a last line
 * that was cut off because the recogniser was stopped while printing it.
 */
export function readHeardWords(output: string): HeardWord[] {
  const wholeLines = output.slice(0, output.lastIndexOf('\n') + 1).split('\n')
  return wholeLines.flatMap((line) => {
    const [, token = '', start = '', end = '', probability = ''] = WORD_LINE.exec(line) ?? []
    const word = token.replace(PRONUNCIATION_VARIANT, '')
    if (word === '' || NOT_A_WORD.test(word)) return []
    return [{ word, start: Number(start), end: Number(end), probability: Math.min(1, Number(probability)) }]
  })
}
