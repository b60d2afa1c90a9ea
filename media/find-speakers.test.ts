import { describe, expect, it } from 'vitest'
import type { AudioKind } from './audio-chunk.ts'
import { findSpeakers, type Heard, LoudnessBins } from './find-speakers.ts'
import { aacGain } from './packet-loudness.ts'
import { makeRandom } from './testing/random.ts'

const KIND: AudioKind = {
  format: { contentType: 'audio/mp4', loudness: aacGain },
  config: { codec: 'aac', sampleRate: 16_000, channels: 1, description: null },
}
const BIN_MS = 250
const VOICE = 160
const NOISE = 130
/** 25 dB less than the voice. */
const LEAK = 143

type Turn = readonly [fromS: number, untilS: number]
interface Microphone {
  voices: readonly Turn[]
  leaks?: readonly Turn[]
  noise?: number
  language?: string
}

/** What a microphone hears in a minute: voices with short pauses, the others' voices from afar, noise. */
function hear({ voices, leaks = [], noise = NOISE, language = 'und' }: Microphone, seed = 1): Heard {
  const random = makeRandom(seed)
  const bins = new LoudnessBins(KIND)
  const isIn = (turns: readonly Turn[], timeS: number) => turns.some(([from, until]) => timeS >= from && timeS < until)
  for (let startMs = 0; startMs < 60_000; startMs += BIN_MS) {
    const spoken = isIn(voices, startMs / 1000) ? VOICE : isIn(leaks, startMs / 1000) ? LEAK : 0
    const isPause = random() < 0.15
    const gain = Math.max(noise, isPause ? 0 : spoken) + Math.floor(random() * 8)
    bins.add({ startMs, lengthMs: BIN_MS, bytes: Uint8Array.from([gain >> 7, (gain << 1) & 0xff, 0, 0]) })
  }
  return { bins, isSilent: noise === 0 && voices.length === 0, language }
}

const HOST: Turn[] = [
  [0, 12],
  [20, 31],
  [40, 52],
]
const GUEST: Turn[] = [
  [12, 19],
  [32, 40],
  [53, 60],
]
const host = hear({ voices: HOST })
const found = (first: Heard, ...others: Heard[]) => findSpeakers(first, others).map((each) => others.indexOf(each))

describe('findSpeakers', () => {
  it.each([
    ['who takes turns', { voices: GUEST }],
    ['who takes turns, with the first one in the microphone', { voices: GUEST, leaks: HOST }],
    ['who speaks once, while the first one does', { voices: [[42, 46]] as Turn[] }],
    ['who is silent', { voices: [], noise: 0 }],
    ['of whom only the room is heard', { voices: [] }],
  ])('takes a track for that of a speaker %s', (_, microphone) => {
    expect(found(host, hear(microphone, 2))).toEqual([0])
  })

  it.each([
    ['the same in another language', { voices: HOST }],
    ['another microphone for the same voice', { voices: HOST, noise: 138 }],
    ['as loud all the time', { voices: [[0, 60]] as Turn[] }],
    ['of which another language is named', { voices: GUEST, language: 'deu' }],
  ])('does not take %s for a speaker', (_, microphone) => {
    expect(found(hear({ voices: HOST, language: 'eng' }), hear(microphone, 3))).toEqual([])
  })

  it('takes three for speakers who all take turns, but not the dub of one of them', () => {
    const second = hear({ voices: GUEST.slice(0, 2) }, 4)
    const third = hear({ voices: [[53, 60]] }, 5)
    const dub = hear({ voices: GUEST.slice(0, 2) }, 6)
    expect(found(host, second, third, dub)).toEqual([0, 1])
  })

  it('takes seven beside the first one at most', () => {
    const silent = Array.from({ length: 9 }, () => hear({ voices: [], noise: 0 }))
    expect(found(host, ...silent)).toEqual([0, 1, 2, 3, 4, 5, 6])
  })
})
