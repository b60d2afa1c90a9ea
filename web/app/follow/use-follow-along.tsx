import { type ReactNode, useRef, useState } from 'react'
import { createStore } from 'zustand/vanilla'
import * as m from '#messages'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { Button } from '#web/ui/button.tsx'
import { PartBoundary } from '#web/ui/part-boundary.tsx'
import type { Followed } from './use-following.ts'

const FollowAlong = lazyPart(() => import('./follow-along.tsx').then((part) => part.FollowAlong))

/**
 * The way into following along, one step at a time over the whole screen; an address with `follow` opens there. The page
 * gives its video away meanwhile, and says where it stands.
 */
export function useFollowAlong(followed: Omit<Followed, 'clock'>) {
  const [isOpen, setIsOpen] = useState(() => /[?&]follow=/.test(window.location.search))
  const [clock] = useState(() => createStore(() => 0))
  const opener = useRef<HTMLButtonElement>(null)
  const hasSteps = followed.steps.length > 0

  function close(atS: number) {
    setIsOpen(false)
    // Once the video is back in its place.
    setTimeout(() => {
      followed.player.current?.seekTo(atS)
      opener.current?.focus()
    })
  }
  return {
    noteTime: (seconds: number) => clock.setState(seconds),
    button: hasSteps && (
      <Button ref={opener} variant="secondary" size="small" onClick={() => setIsOpen(true)}>
        {m.follow_along()}
      </Button>
    ),
    /** The video where it belongs now: in its place on the page, or in the mode. */
    place: (video: ReactNode) =>
      isOpen && hasSteps ? (
        <PartBoundary retryLabel={m.load_the_steps_again()}>
          <FollowAlong {...followed} {...{ video, clock }} onClose={close} />
        </PartBoundary>
      ) : (
        video
      ),
  }
}
