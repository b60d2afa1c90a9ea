import { listen } from '#web/lib/browser-state.ts'

/** A viewer who waits for so long would rather have the small copy. */
export const STALLED_AFTER_MS = 3_000

/**
 * Calls when a video below an element waits for its bytes for too long, though it is to play.
 * @returns ends it
 */
export function watchStalls(place: Element, onStall: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const settle = () => clearTimeout(timer)
  function wait() {
    settle()
    // What does not come without a network comes in no quality.
    timer = setTimeout(() => navigator.onLine && onStall(), STALLED_AFTER_MS)
  }
  // These events do not bubble, but they can be captured above.
  const events = { waiting: wait, playing: settle, pause: settle, ended: settle, error: settle }
  const end = listen(place, events, { capture: true })
  return () => {
    end()
    settle()
  }
}
