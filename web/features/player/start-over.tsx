import { RotateCcw } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'
import { usePlayer } from './player-store.ts'

/** A viewer who wants to start over does so within this time. */
const OFFERED_FOR_S = 15

/** Says that a video was resumed where it was left, and offers to start over. */
export function StartOver({ fromS }: { fromS: number }) {
  const store = usePlayer()
  const isNear = usePlayer(({ currentTime }) => currentTime === 0 || Math.abs(currentTime - fromS) < OFFERED_FOR_S)
  const [isOver, setIsOver] = useState(false)
  if (!isNear && !isOver) setIsOver(true)
  if (isOver) return null
  function startOver({ currentTarget }: MouseEvent) {
    // The button goes away; the focus stays in the player, where the keys act.
    currentTarget.closest<HTMLElement>('.player')?.focus({ preventScroll: true })
    setIsOver(true)
    void store.seek(0)
  }
  return (
    <div className="player-resumed">
      <span>{m.resumed_at_froms({ fromS: formatTime(fromS) })}</span>
      <button type="button" onClick={startOver}>
        <RotateCcw aria-hidden="true" />
        {m.start_over()}
      </button>
    </div>
  )
}
