/** Carries out presses of a switch in turn: each one waits until the browser has completed the one before. */
export function oneByOne<Result>(act: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null
  return () => {
    // Without a wait where there is nothing to wait for: browsers open a full screen only in the press itself.
    const next = running === null ? act() : running.then(act, act)
    const end = () => {
      if (running === next) running = null
    }
    running = next
    next.then(end, end)
    return next
  }
}
