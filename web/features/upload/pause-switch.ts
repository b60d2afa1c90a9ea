/** Holds an upload on the person's word. */
export class PauseSwitch {
  private paused = false
  private readonly listeners = new Set<(isPaused: boolean) => void>()

  get isPaused(): boolean {
    return this.paused
  }

  set(isPaused: boolean): void {
    if (this.paused === isPaused) return
    this.paused = isPaused
    for (const listener of this.listeners) listener(isPaused)
  }

  /** @returns the way to stop listening. */
  listen(listener: (isPaused: boolean) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** At once when nothing is held. */
  whenRunning(signal: AbortSignal): Promise<void> {
    if (!this.paused) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const stop = this.listen(() => {
        stop()
        resolve()
      })
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  }
}
