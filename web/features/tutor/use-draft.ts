import { useState } from 'react'
import type { AskedBy } from './tutor-chat.ts'

interface Draft {
  text: string
  /** Anything of it was spoken. */
  by: AskedBy
}

const EMPTY: Draft = { text: '', by: 'keyboard' }

/** The question that is being written or said. */
export function useDraft() {
  const [draft, setDraft] = useState(EMPTY)
  return {
    ...draft,
    write: (text: string) => setDraft((before) => (text === '' ? EMPTY : { ...before, text })),
    add: (said: string) => setDraft(({ text }) => ({ text: joinWords(text, said), by: 'voice' })),
    clear: () => setDraft(EMPTY),
  }
}

export function joinWords(text: string, more: string): string {
  return more === '' || text === '' || /\s$/.test(text) ? `${text}${more}` : `${text} ${more}`
}
