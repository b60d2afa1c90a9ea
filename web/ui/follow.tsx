import clsx from 'clsx'
import { LocateFixed } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import * as m from '#messages'
import { listen } from '#web/lib/browser-state.ts'
import { showInBox } from '#web/lib/scroll-box.ts'
import { Button } from './button.tsx'

interface FollowOptions {
  /** Finds what plays now in the box; null for nothing. */
  selector: string | null
  /** Whether the box may move now. */
  canMove?: (box: HTMLElement) => boolean
}

/** Keeps what plays now in the middle of its box, until the reader scrolls in it. */
export function useFollow(boxRef: RefObject<HTMLElement | null>, { selector, canMove = () => true }: FollowOptions) {
  const [isFollowing, setIsFollowing] = useState(true)
  const mayMove = useEffectEvent(canMove)
  useEffect(() => {
    const box = boxRef.current
    if (!isFollowing || selector === null || box === null || !mayMove(box)) return
    const place = box.querySelector<HTMLElement>(selector)
    if (place !== null) showInBox(box, place)
  }, [boxRef, isFollowing, selector])

  useEffect(() => {
    const box = boxRef.current
    if (box === null) return
    const leave = () => setIsFollowing(false)
    // The bar at its side is no part of any line.
    const pointerdown = ({ target }: Event) => target === box && leave()
    return listen(box, { wheel: leave, touchmove: leave, pointerdown }, { passive: true })
  }, [boxRef])
  return { isFollowing, setIsFollowing }
}

/** Lies over a box whose reader has scrolled away from what plays now. */
export function BackToCurrent({ className, onPress }: { className?: string; onPress: () => void }) {
  return (
    <Button variant="secondary" size="small" className={clsx('absolute! bottom-3', className)} onClick={onPress}>
      <LocateFixed aria-hidden="true" className="size-4" />
      {m.back_to_current()}
    </Button>
  )
}
