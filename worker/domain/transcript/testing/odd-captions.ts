/** The narration of every odd caption file: a sentence each five seconds. */
export const SENTENCES = [
  'First, unplug the press and wait a minute.',
  'Then open the cover and take the old roller out.',
  'Next, wipe the rails with a dry cloth.',
  'Slide the new roller in until it clicks.',
  'Finally, close the cover and plug the press in.',
] as const

const CUE_S = 5
const SHOWN_S = 4.5

/** `00:00:05,000`. */
export function writeClock(seconds: number, point = ','): string {
  return new Date(Math.round(seconds * 1_000)).toISOString().slice(11, 23).replace('.', point)
}

type WriteCue = (cue: { number: number; startS: number; endS: number; text: string }) => string

/** Writes the sentences with a cue each. @param texts what is written instead of the sentences */
export function writeCues(write: WriteCue, texts: readonly string[] = SENTENCES): string {
  return texts
    .map((text, at) => write({ number: at + 1, startS: at * CUE_S, endS: at * CUE_S + SHOWN_S, text }))
    .join('\n')
}

/** Writes them as SRT. @param arrow between the times; {@param clock} writes one of them */
export function writeOddSrt({
  arrow = ' --> ',
  clock = writeClock,
  texts = SENTENCES,
}: {
  arrow?: string
  clock?: (seconds: number) => string
  texts?: readonly string[]
} = {}): string {
  return writeCues(
    ({ number, startS, endS, text }) => `${number}\n${clock(startS)}${arrow}${clock(endS)}\n${text}\n`,
    texts,
  )
}
