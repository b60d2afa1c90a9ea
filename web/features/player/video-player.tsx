import type { ReactNode } from 'react'
import { createContext, Suspense, use } from 'react'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import type { PlayerProps } from './player-handle.ts'

const LazyPlayerStage = lazyPart(async () => (await import('./player-stage.tsx')).PlayerStage)

/** What draws the player. Tests put a plain stand-in here, because jsdom plays no media. */
export const PlayerStageContext = createContext((props: PlayerProps): ReactNode => <LazyPlayerStage {...props} />)

/**
 * Holds the place of a video, whatever stands in it, so that nothing on the page moves when it arrives. Never higher than
 * a phone that is held sideways.
 */
export function PlayerFrame({ children }: { children?: ReactNode }) {
  return (
    <div className="relative isolate aspect-video max-h-[90svh] w-full overflow-hidden rounded-(--player-radius) bg-screen text-on-screen has-[[data-mini]]:z-30">
      {children}
    </div>
  )
}

export function PlayerLoading() {
  return (
    <div role="status" className="absolute inset-0 grid place-items-center">
      <Spinner className="size-10 text-on-screen-soft" />
      <span className="sr-only">Loading video</span>
    </div>
  )
}

/** The one door to the player library: it is loaded when the first video shows, and nothing else imports it. */
export function VideoPlayer(props: PlayerProps) {
  const drawStage = use(PlayerStageContext)
  return (
    <PlayerFrame>
      <Suspense fallback={<PlayerLoading />}>{drawStage(props)}</Suspense>
    </PlayerFrame>
  )
}
