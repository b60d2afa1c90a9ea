const LOG_LINE = 'a value of a log line is cut to 2,000 characters before'
const TITLE = 'the text is a title of at most 70 characters'
const OPENING = 'the text is the first 14 words of a sentence'
const COMPARED = 'longer texts than 10,000 characters are not compared'
const OWN_SEARCH = 'escaped words of the person whose browser looks for them'

/**
 * Patterns that may take longer than their text is long, because the text is short or is not other people's: by file, how
 * the code of a pattern begins, and why.
 */
export const ACCEPTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'worker/adapters/service/call-service.ts': { '/\\/+$/': 'the text is configured by the operator' },
  'worker/adapters/libretranslate/libretranslate.ts': { '/\\/+$/': 'the text is configured by the operator' },
  'worker/adapters/whisper/closing-lines.ts': {
    'new RegExp(`^(?:${Object.values(CLOSING_LINES': 'a closed list of words, none of which is made of others',
  },
  'worker/adapters/whisper/normalise-whisper.ts': {
    'new RegExp(`\\\\s+|${UNSPACED_BORDER': 'blanks, or the place between two characters of a closed list of scripts',
  },
  'worker/log/log.ts': {
    '/\\b(ticket|token': LOG_LINE,
    '/\\beyJ': LOG_LINE,
    '/[\\w.+-]+@': LOG_LINE,
    '/(\\.\\.\\.)?"': LOG_LINE,
  },
  'worker/domain/transcript/tidy-cues.ts': {
    '/(?:-{5,}|_{4,})': 'longer texts than 400 characters are not looked at',
  },
  'worker/domain/rewrite/extractive-text-rewriter.ts': {
    '/([.!?])\\.+': 'the text has at most 5,000 characters',
  },
  'worker/domain/step/extractive/title-ideas.ts': {
    'new RegExp(`\\\\b(?:${lead})': 'the text is the seven words before a word',
    '/(?:[\\s,;:–-]+(?:a|an': TITLE,
    '/(?<=\\s\\S+\\s\\S+)': TITLE,
  },
  'worker/domain/step/extractive/cut-features.ts': {
    'new RegExp(`${LEAD_IN.source}before': OPENING,
    'new RegExp(\n    `${LEAD_IN.source}(?:to (?!be': OPENING,
  },
  'worker/domain/step/extractive/sentences.ts': {
    'new RegExp(\n  `^${FILLERS}(?:${LIGHT_MARKERS} )?(?:(?:${SURE': 'the text is the first 24 words of a sentence',
  },
  'worker/domain/translation/check-translation.ts': {
    '/\\$?\\{': COMPARED,
    '/["“”': COMPARED,
    '/0+$/': 'the text is a number of a text that is compared',
  },
  'worker/domain/translation/language-rules.ts': {
    'new RegExp(String.raw`(?<![\\p{L}\\p{N}])(?:${list':
      'closed lists of words; longer texts than 10,000 characters are not compared',
    'new RegExp(\n  String.raw`(?<![\\p{L}\\p{N}])(?:(?:${[...KEY': COMPARED,
  },
  'web/features/questions/question-forms.tsx': { '/[\\s,]*(?:please': 'a question has at most 2,000 characters' },
  'web/app/follow/voice-commands.ts': {
    '/^(?:(?:ok|okay': 'longer phrases than 80 characters are no commands',
  },
  'web/features/transcript/transcript-search.tsx': { 'new RegExp(wanted': OWN_SEARCH },
  'web/features/transcript/use-corrections.ts': { 'new RegExp(String.raw`(?<!': OWN_SEARCH },
}
