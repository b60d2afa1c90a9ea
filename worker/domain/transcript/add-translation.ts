import type { FormedSegment } from '#worker/db/schema.ts'
import { joinWords } from '#worker/ports/speech-to-text.ts'

/**
 * Gives each segment what captions have in their other language at its time. Sentences begin and end elsewhere in another
 * language, so each goes where most of its time is.
 * @param segments in the order of time, as `translated`
 */
export function addTranslation(
  segments: readonly FormedSegment[],
  { language, translated }: { language: string; translated: readonly FormedSegment[] },
): FormedSegment[] {
  const texts: string[][] = segments.map(() => [])
  let from = 0
  for (const sentence of translated) {
    while (from < segments.length - 1 && (segments[from]?.endMs ?? 0) <= sentence.startMs) from += 1
    let best = from
    for (let at = from; (segments[at]?.startMs ?? Number.POSITIVE_INFINITY) < sentence.endMs; at++)
      if (commonMs(segments[at], sentence) > commonMs(segments[best], sentence)) best = at
    texts[best]?.push(sentence.text)
  }
  return segments.map((segment, at) => {
    const text = joinWords(texts[at] ?? [])
    return text === '' ? segment : { ...segment, translated: { language, text } }
  })
}

type Times = Pick<FormedSegment, 'startMs' | 'endMs'>

function commonMs(one: Times | undefined, other: Times): number {
  return one === undefined ? 0 : Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs)
}
