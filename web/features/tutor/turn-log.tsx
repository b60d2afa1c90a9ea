import { ArrowDown } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import type { Turn } from './turn.ts'
import { useFollowEnd } from './use-follow-end.ts'

export interface TurnLogHandle {
  /** Scrolls to the newest turn and focuses it, because the pressed control is gone or far away. */
  show(): void
}

interface TurnLogProps {
  ref: Ref<TurnLogHandle>
  /** The learner has just asked to see it. */
  takesFocus: boolean
  turns: readonly Turn[]
  /** In place of turns. */
  empty: ReactNode
  renderTurn: (turn: Turn) => ReactNode
}

/** The conversation, oldest first; its end stays visible unless the reader scrolls up. */
export function TurnLog({ ref, takesFocus, turns, empty, renderTurn }: TurnLogProps) {
  const box = useRef<HTMLDivElement>(null)
  const { isAtEnd, follow, onScroll } = useFollowEnd(box, turns)
  useImperativeHandle(ref, () => ({ show }))
  useEffect(() => {
    if (takesFocus) box.current?.focus({ preventScroll: true })
  }, [takesFocus])
  function show() {
    follow()
    box.current?.focus({ preventScroll: true })
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col border-line max-lg:border-t">
      <div
        ref={box}
        role="region"
        aria-label="Conversation"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={onScroll}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-3 text-sm focus-visible:-outline-offset-2 max-lg:h-[clamp(9rem,calc(100dvh-33rem),24rem)] max-lg:flex-none"
      >
        {turns.length === 0 ? empty : <ol className="grid grid-cols-1 gap-5">{turns.map(renderTurn)}</ol>}
      </div>
      {!isAtEnd && (
        <Button
          variant="secondary"
          size="small"
          onClick={show}
          className="absolute! bottom-2 left-1/2 -translate-x-1/2"
        >
          <ArrowDown aria-hidden="true" className="size-4" />
          Jump to latest
        </Button>
      )}
    </div>
  )
}
