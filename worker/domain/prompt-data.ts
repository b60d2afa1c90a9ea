/**
 * What people do not see but a model reads: marks without width, among them the "tag" letters that can spell out an
 * order; private use; halves of letters. Indic scripts and Persian need the two joiners to be spelled right.
 */
const HIDDEN = /(?![\u200c\u200d])\p{Cf}|\p{Co}|\p{Cs}/gu

/** English text in the tokenizers of Llama and GPT. */
const CHARS_PER_TOKEN = 4

/** Estimates the tokens of a text, rather too many: other scripts than Latin take about one per character. */
export function estimateTokens(text: string): number {
  const beyondAscii = text.replace(/[\u0020-\u007e]/g, '').length
  return Math.ceil((text.length - beyondAscii) / CHARS_PER_TOKEN) + beyondAscii
}

/**
 * Formats a person's text for a place between the tags of a prompt: one line, without anything that a reader of the
 * page would not see, and without angle brackets, which would let it close its own tag.
 * @param maxChars UTF-16 units that may be left; what is longer is cut off, never within a letter
 */
export function asData(text: string, maxChars = Number.POSITIVE_INFINITY): string {
  return text
    .replace(HIDDEN, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .trim()
    .slice(0, maxChars)
    .replace(/\p{Cs}$/u, '')
}

/** Shows a moment of a video as answers, prompts and titles have it: 0:07, 12:30, 1:02:03. */
export function showClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours === 0 ? `${minutes}:${two(seconds % 60)}` : `${hours}:${two(minutes)}:${two(seconds % 60)}`
}
