import { useEffect, useState } from 'react'
import './player-notice.css'

const SHOWN_MS = 2_500

/** Something that the player has to say for a moment. */
export function usePlayerNotice() {
  const [text, setText] = useState('')
  useEffect(() => {
    if (text === '') return
    const timer = setTimeout(() => setText(''), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [text])
  return { text, say: setText }
}

/** Always rendered, so that screen readers announce what appears in it. */
export function PlayerNotice({ text }: { text: string }) {
  return (
    <div role="status" className="player-notice">
      {text !== '' && <span>{text}</span>}
    </div>
  )
}
