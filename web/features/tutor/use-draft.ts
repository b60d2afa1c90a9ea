import { useRef, useState } from 'react'
import type { AskedBy } from './tutor-chat.ts'

export interface Draft {
  text: string
  /** Anything of it was spoken. */
  by: AskedBy
}

const EMPTY: Draft = { text: '', by: 'keyboard' }

/** The question that is being written or said. */
export function useDraft() {
  const [draft, setDraft] = useState(EMPTY)
  const latest = useRef(draft)
  function change(next: Draft) {
    latest.current = next
    setDraft(next)
  }
  return {
    ...draft,
    /** Reads what has been written or said up to now; the page may not have drawn all of it yet. */
    read: () => latest.current,
    write: (text: string) => change(text === '' ? EMPTY : { ...latest.current, text }),
    add: (said: string) => change({ text: joinWords(latest.current.text, said), by: 'voice' }),
    clear: () => change(EMPTY),
  }
}

export function joinWords(text: string, more: string): string {
  return more === '' || text === '' || /\s$/.test(text) ? `${text}${more}` : `${text} ${more}`
}
