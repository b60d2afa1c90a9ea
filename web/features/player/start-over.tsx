import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { formatTime } from '#web/lib/format-time.ts'
import { usePlayer } from './player-store.ts'
import './player-notice.css'

/** A viewer who wants to start over does so within this time. */
const OFFERED_FOR_S = 15

/** Says that a video was resumed where it was left, and offers to start over. */
export function StartOver({ fromS }: { fromS: number }) {
  const store = usePlayer()
  const isNear = usePlayer(({ currentTime }) => currentTime === 0 || Math.abs(currentTime - fromS) < OFFERED_FOR_S)
  const [isOver, setIsOver] = useState(false)
  if (!isNear && !isOver) setIsOver(true)
  if (isOver) return null
  function startOver() {
    setIsOver(true)
    void store.seek(0)
  }
  return (
    <div className="player-resumed">
      <span>Resumed at {formatTime(fromS)}</span>
      <button
        type="button"
        onClick={(event) => {
          // The button goes away; the focus stays in the player, where the keys act.
          event.currentTarget.closest<HTMLElement>('.player')?.focus({ preventScroll: true })
          startOver()
        }}
      >
        <RotateCcw aria-hidden="true" />
        Start over
      </button>
    </div>
  )
}
