import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import * as m from '#messages'
import type { PlayerHandle } from '#web/features/player/player-handle.ts'
import type { ListedStep } from '#web/features/step/step-list.tsx'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { Button } from '#web/ui/button.tsx'
import { PartBoundary } from '#web/ui/part-boundary.tsx'

const FollowAlong = lazyPart(async () => (await import('./follow-along.tsx')).FollowAlong)

/** What is followed. */
export interface Followed {
  module: { id: string; title: string; posterUrl: string | null }
  steps: readonly ListedStep[]
  /** Of the narration. BCP 47; null where it is not known. */
  language: string | null
  player: RefObject<PlayerHandle | null>
  /** Where the video stands, with each of its ticks. Seconds. */
  clock: StoreApi<number>
}

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
