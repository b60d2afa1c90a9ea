/** A pattern that may take longer than its text is long, because the text is short or is not other people's. */
export interface Accepted {
  file: string
  /** How its code begins. */
  begins: string
  why: string
}

const LOG_LINE = 'a value of a log line is cut to 2,000 characters before'
const TITLE = 'the text is a title of at most 70 characters'
const OWN_SEARCH = 'escaped words of the person whose browser looks for them'

export const ACCEPTED: readonly Accepted[] = [
  {
    file: 'worker/adapters/openai-compatible/call-open-ai.ts',
    begins: String.raw`/\/+$/`,
    why: 'the text is configured by the operator',
  },
  {
    file: 'worker/adapters/whisper/drop-invented.ts',
    begins: 'new RegExp(`^(?:${CLOSING_LINES',
    why: 'a closed list of words, none of which is made of others',
  },
  { file: 'worker/log/log.ts', begins: String.raw`/\b(ticket|token`, why: LOG_LINE },
  { file: 'worker/log/log.ts', begins: String.raw`/\beyJ`, why: LOG_LINE },
  { file: 'worker/log/log.ts', begins: String.raw`/[\w.+-]+@`, why: LOG_LINE },
  { file: 'worker/log/log.ts', begins: String.raw`/(\.\.\.)?"`, why: LOG_LINE },
  {
    file: 'worker/domain/transcript/tidy-cues.ts',
    begins: '/(?:-{5,}|_{4,})',
    why: 'longer texts than 400 characters are not looked at',
  },
  {
    file: 'worker/domain/rewrite/extractive-text-rewriter.ts',
    begins: String.raw`/([.!?])\.+`,
    why: 'the text has at most 5,000 characters',
  },
  {
    file: 'worker/domain/step/extractive/title-ideas.ts',
    begins: 'new RegExp(\n      `\\\\b(?:how|want',
    why: 'the text is the seven words before a word',
  },
  {
    file: 'worker/domain/step/extractive/cues.ts',
    begins: 'new RegExp(\n  `^${FILLERS}(?:${LIGHT_MARKERS} )?(?:(?:${SURE',
    why: 'the text is the first 24 words of a sentence',
  },
  { file: 'worker/domain/step/extractive/name-step.ts', begins: String.raw`/(?:[\s,;:–-]+(?:a|an`, why: TITLE },
  { file: 'worker/domain/step/extractive/name-step.ts', begins: String.raw`/(?<=\s\S+\s\S+)`, why: TITLE },
  {
    file: 'web/features/questions/question-forms.tsx',
    begins: String.raw`/[\s,]*(?:please`,
    why: 'a question has at most 2,000 characters',
  },
  {
    file: 'web/features/tutor/voice/read-command.ts',
    begins: '/^(?:(?:ok|okay',
    why: 'longer phrases than 80 characters are no commands',
  },
  { file: 'web/features/transcript/transcript-search.tsx', begins: 'new RegExp(wanted', why: OWN_SEARCH },
  { file: 'web/features/transcript/use-corrections.ts', begins: 'new RegExp(String.raw`(?<!', why: OWN_SEARCH },
]
