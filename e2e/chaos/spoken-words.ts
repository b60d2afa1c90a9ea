import { pickOne, randomOf } from './random.ts'

/** A word as OpenAI's `verbose_json` has it; seconds from the beginning of the audio. */
export interface SpokenWord {
  word: string
  start: number
  end: number
}

const OPENERS = ['First,', 'Next,', 'Then', 'After that,', 'Now', 'Finally,']
const DEEDS = [
  'loosen the four screws',
  'open the paper tray',
  'press the green button',
  'slide the filter out',
  'wipe the sensor',
  'turn the red valve',
  'lift the cover',
  'write down the number',
]
const PLACES = [
  'on the left side of the machine.',
  'with the blue key.',
  'until it clicks.',
  'before you close the door.',
  'as the label shows.',
  'and wait for the lamp.',
]

const SENTENCES = 3
/** After the overlap with the chunk before it, so that no word is spoken in two chunks. */
const FIRST_WORD_S = 2
const WORD_S = 0.3
const PAUSE_S = 1.5

/** The narration of an audio chunk: the same for the same audio, and within its first twenty seconds. */
export function speakWords(audioHash: string): SpokenWord[] {
  const random = randomOf(audioHash)
  let atS = FIRST_WORD_S
  return Array.from({ length: SENTENCES }).flatMap(() => {
    const sentence = [pickOne(random, OPENERS), pickOne(random, DEEDS), pickOne(random, PLACES)].join(' ')
    const words = sentence.split(' ').map((word, place) => timed(word, atS + place * WORD_S))
    atS += words.length * WORD_S + PAUSE_S
    return words
  })
}

function timed(word: string, startS: number): SpokenWord {
  return { word, start: Number(startS.toFixed(2)), end: Number((startS + WORD_S).toFixed(2)) }
}
