import { ANSWER_BROKEN, ANSWER_STOPPED, type StreamError, type StreamMeta } from '#contract/tutor.ts'
import type { AnsweredTurn } from './answer-turn.ts'

const DONE = 'data: [DONE]\n\n'

/** The next piece of an answer, as it stands in the stream. @see specification §7 */
export function writePiece(piece: string): string {
  return write(piece)
}

/** Writes the end of a stream. @param answered null when the answer broke off */
export function writeEnd(answered: AnsweredTurn | null): string {
  if (answered === null || answered.end === 'broken') return write(ANSWER_BROKEN satisfies StreamError) + DONE
  if (answered.end === 'stopped') return write(ANSWER_STOPPED satisfies StreamError) + DONE
  return write(presentAnswer(answered)) + DONE
}

/** The whole answer. */
export function presentAnswer({ text, meta, ms }: AnsweredTurn): StreamMeta {
  return { ...meta, ms, answer: text }
}

/** JSON has no line breaks of its own, so a value is one line. */
function write(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}
