/** Answers in the shapes that Workers AI documents for whisper-large-v3-turbo; only `text` is promised. */
export interface WhisperCase {
  answer: Record<string, unknown>
  /** Text, begin and end of each word that is expected from a part of 10 s. */
  words: [string, number, number][]
  language: string | null
  /** Rounded to two digits. */
  confidence: number | null
}

const info = { language: 'en', language_probability: 0.98, duration: 10, duration_after_vad: 2.4 }
const segment = { temperature: 0, avg_logprob: Math.log(0.8), compression_ratio: 1.1, no_speech_prob: 0.02 }
const vtt = 'WEBVTT\n\n00.500 --> 01.700\nOpen the menu.\n\n04.000 --> 04.900\nClick Save.\n'
const text = 'Open the menu. Click Save.'
const reason: [string, number, number][] = [
  ['Open', 500, 900],
  ['the', 900, 1_100],
  ['menu.', 1_100, 1_700],
  ['Click', 4_000, 4_400],
  ['Save.', 4_400, 4_900],
]
/** Times of segments shared out by the length of their words. */
const shared: [string, number, number][] = [
  ['Open', 500, 900],
  ['the', 900, 1_220],
  ['menu.', 1_220, 1_700],
  ['Click', 4_000, 4_450],
  ['Save.', 4_450, 4_900],
]
/** The whole part shared out. */
const spread: [string, number, number][] = [
  ['Open', 0, 1_852],
  ['the', 1_852, 3_333],
  ['menu.', 3_333, 5_556],
  ['Click', 5_556, 7_778],
  ['Save.', 7_778, 10_000],
]
const word = ([said, startMs, endMs]: [string, number, number]) => ({
  word: said,
  start: startMs / 1000,
  end: endMs / 1000,
})

const withoutWords = [
  { ...segment, start: 0.5, end: 1.7, text: ' Open the menu.' },
  { ...segment, start: 4, end: 4.9, text: ' Click Save.' },
]
const segments = [
  { ...withoutWords[0], words: reason.slice(0, 3).map(word) },
  { ...withoutWords[1], words: reason.slice(3).map(word) },
]

export const WHISPER_CASES: Record<string, WhisperCase> = {
  'all optional fields': {
    answer: { transcription_info: info, text, word_count: 5, segments, vtt },
    words: reason,
    language: 'en',
    confidence: 0.92,
  },
  'only text': { answer: { text }, words: spread, language: null, confidence: null },
  'segments without words': {
    answer: { text, segments: withoutWords, vtt },
    words: shared,
    language: null,
    confidence: 0.92,
  },
  'text and vtt': { answer: { text, word_count: 5, vtt }, words: shared, language: null, confidence: null },
  'vtt only': { answer: { vtt }, words: shared, language: null, confidence: null },
  'text and a vtt without cues': {
    answer: { text, vtt: 'WEBVTT\n\n' },
    words: spread,
    language: null,
    confidence: null,
  },
  'segments as one object, as its schema once had it': {
    answer: { text: 'Open the menu.', segments: withoutWords[0] },
    words: shared.slice(0, 3),
    language: null,
    confidence: 0.92,
  },
  'words beside the text, as whisper without turbo': {
    answer: { text, word_count: 5, words: reason.map(word), vtt },
    words: reason,
    language: null,
    confidence: null,
  },
  'times that are null or no numbers': {
    answer: {
      text,
      segments: [
        {
          ...segment,
          start: 0.5,
          end: 1.7,
          text: 'Open the menu.',
          words: [
            { word: 'Open', start: 0.5, end: Number.NaN },
            { word: 'the', start: null, end: null },
            { word: 'menu.', start: 1.1, end: null },
          ],
        },
      ],
    },
    words: [
      // Without an end a word lasts as long as slow speech, and no longer than up to the next.
      ['Open', 500, 500],
      ['the', 500, 1_100],
      ['menu.', 1_100, 1_820],
    ],
    language: null,
    confidence: 0.92,
  },
  'segments whose times are null': {
    answer: { text, segments: withoutWords.map((each) => ({ ...each, start: null, end: null })) },
    words: [
      ['Open', 0, 1_852],
      ['the', 1_852, 3_334],
      ['menu.', 3_334, 5_556],
      ['Click', 5_556, 7_778],
      ['Save.', 7_778, 10_000],
    ],
    language: null,
    confidence: 0.92,
  },
  'words that overlap': {
    answer: {
      text: 'Open the menu.',
      segments: [
        {
          ...segment,
          start: 0.5,
          end: 2,
          text: 'Open the menu.',
          words: [
            { word: 'Open', start: 0.5, end: 1.2 },
            { word: 'the', start: 0.9, end: 1.4 },
            { word: 'menu.', start: 1.1, end: 2 },
          ],
        },
      ],
    },
    words: [
      ['Open', 500, 900],
      ['the', 900, 1_100],
      ['menu.', 1_100, 2_000],
    ],
    language: null,
    confidence: 0.92,
  },
  'words past the end': {
    answer: {
      text: 'Click Save.',
      segments: [
        {
          ...segment,
          start: 9,
          end: 10.6,
          text: 'Click Save.',
          words: [
            { word: 'Click', start: 9.2, end: 9.8 },
            { word: 'Save.', start: 9.8, end: 10.6 },
          ],
        },
      ],
    },
    words: [
      ['Click', 9_200, 9_800],
      ['Save.', 9_800, 10_000],
    ],
    language: null,
    confidence: 0.92,
  },
  'no words': {
    answer: {
      text: '',
      word_count: 0,
      segments: [],
      vtt: 'WEBVTT\n\n',
      transcription_info: { ...info, duration_after_vad: 0 },
    },
    words: [],
    language: null,
    confidence: null,
  },
}
