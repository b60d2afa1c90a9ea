import type { Citation } from '#contract/tutor.ts'

/** A text, or a moment of the video that what stands before it rests on. Seconds. */
export type AnswerPiece = { kind: 'text'; text: string } | { kind: 'moment'; start: number }

interface Known {
  citations: readonly Pick<Citation, 'start' | 'sentence'>[]
  /** Other moments that may be named in the text: where steps begin. */
  starts: readonly number[]
}

interface Place {
  from: number
  to: number
  start: number
}

/** A time in brackets, as the tutor names the moments of quotes and steps. */
const NAMED_TIME = /\s?\((?:(\d{1,2}):)?(\d{1,3}):(\d{2})\)/g
/** What closes a sentence belongs to it. */
const CLOSING = /^["”’'»)\]]+/

/**
 * Puts the moments of an answer beside their sentences. A time that the text names itself becomes a moment only where
 * something is known to be there: what a model makes up leads nowhere.
 */
export function placeMoments(text: string, { citations, starts }: Known): AnswerPiece[] {
  const named = findNamed(text, [...citations.map(({ start }) => start), ...starts])
  const seconds = new Set(named.map(({ start }) => Math.floor(start)))
  const cited = citations.filter(({ start }) => !seconds.has(Math.floor(start))).map((cite) => placeCited(text, cite))
  const places = [...named, ...cited].sort((left, right) => left.from - right.from)
  return cut(text, places)
}

function findNamed(text: string, known: readonly number[]): Place[] {
  return [...text.matchAll(NAMED_TIME)].flatMap((match) => {
    const [whole, hours = '0', minutes = '0', secs = '0'] = match
    const second = Number(hours) * 3_600 + Number(minutes) * 60 + Number(secs)
    const start = known.find((moment) => Math.floor(moment) === second)
    return start === undefined ? [] : [{ from: match.index, to: match.index + whole.length, start }]
  })
}

/** After its sentence; at the end of the text where that is not found. */
function placeCited(text: string, { start, sentence }: Known['citations'][number]): Place {
  const at = sentence === '' ? -1 : text.indexOf(sentence)
  const end = at < 0 ? text.length : at + sentence.length
  const from = end + (CLOSING.exec(text.slice(end))?.[0].length ?? 0)
  return { from, to: from, start }
}

function cut(text: string, places: readonly Place[]): AnswerPiece[] {
  const pieces: AnswerPiece[] = []
  let done = 0
  for (const { from, to, start } of places) {
    const before = text.slice(done, Math.max(done, from))
    if (before !== '') pieces.push({ kind: 'text', text: before })
    const last = pieces.at(-1)
    if (last?.kind !== 'moment' || last.start !== start) pieces.push({ kind: 'moment', start })
    done = Math.max(done, to)
  }
  if (done < text.length) pieces.push({ kind: 'text', text: text.slice(done) })
  return pieces
}
