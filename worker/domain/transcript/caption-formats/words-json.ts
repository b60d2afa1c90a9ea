import { z } from 'zod'

/** A word of a transcript, or a sign that stands behind one and has no time. */
interface Word {
  text: string
  start: number | null
  end: number | null
  speaker: string | number | undefined
}

const seconds = z.coerce.number()
const AmazonItem = z
  .object({
    start_time: seconds.optional(),
    end_time: seconds.optional(),
    speaker_label: z.string().optional(),
    type: z.string(),
    alternatives: z.tuple([z.object({ content: z.string() })], z.unknown()),
  })
  .transform(({ start_time: start = null, end_time: end = null, speaker_label: speaker, type, alternatives }): Word => {
    const text = alternatives[0].content
    return { text: type === 'punctuation' ? text : ` ${text}`, start, end, speaker }
  })
const Amazon = z.object({ results: z.object({ items: z.array(AmazonItem) }) })
const Rev = z.object({
  monologues: z.array(
    z.object({
      speaker: z.union([z.string(), z.number()]).optional(),
      elements: z.array(z.object({ value: z.string(), ts: seconds.optional(), end_ts: seconds.optional() }).loose()),
    }),
  ),
})

function listWords(value: unknown): Word[] | null {
  const amazon = Amazon.safeParse(value)
  if (amazon.success) return amazon.data.results.items
  const rev = Rev.safeParse(value)
  if (!rev.success) return null
  return rev.data.monologues.flatMap(({ speaker, elements }) =>
    elements.map(({ value: text, ts: start = null, end_ts: end = null }) => ({ text, start, end, speaker })),
  )
}

/** Captions are joined and cut by their sentences later; these are only cues. */
const SENTENCE_END = /[.!?…。！？؟।]["'”’)\]]{0,3}\s*$/u
/** A pause after which another sentence begins, in seconds. */
const PAUSE_S = 1.5

/** A sentence as the segments of Whisper are; seconds. */
interface SpokenSentence {
  start: number
  end: number
  text: string
  speaker: Word['speaker']
}

/** Makes sentences of the words that Amazon Transcribe and Rev answer; null for anything else. */
export function listSpokenSentences(value: unknown): SpokenSentence[] | null {
  const words = listWords(value)
  if (words === null) return null
  const sentences: SpokenSentence[] = []
  for (const { text, start, end, speaker } of words) {
    const last = sentences.at(-1)
    if (start === null) {
      if (last !== undefined) last.text += text
      continue
    }
    const isNew =
      last === undefined || last.speaker !== speaker || start - last.end > PAUSE_S || SENTENCE_END.test(last.text)
    if (isNew) sentences.push({ start, end: end ?? start, text, speaker })
    else Object.assign(last, { text: last.text + text, end: end ?? start })
  }
  return sentences
}
