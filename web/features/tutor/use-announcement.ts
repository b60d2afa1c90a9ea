import { useState } from 'react'
import { describeFailure } from './failure-note.tsx'
import type { Turn } from './turn.ts'

/** Announces answers to screen readers: each once and whole, never word by word. */
export function useAnnouncement() {
  const [announcement, setAnnouncement] = useState('')
  return {
    announcement,
    publishAsked: () => setAnnouncement('The tutor is typing.'),
    publishAnswered: (turn: Turn) => setAnnouncement(describeTurn(turn)),
  }
}

function describeTurn({ state, text, failure }: Turn): string {
  if (state === 'complete') return `The tutor: ${text}`
  if (state === 'stopped') return 'The answer was stopped.'
  const reason = failure === null ? '' : describeFailure(failure)
  return state === 'broken' ? `The answer broke off. ${reason}`.trim() : reason
}
