/** A fixed number of places; who comes when all are taken waits in line. */
export interface Places {
  /**
   * Runs the task when a place is free, first come first served. An abort while waiting leaves the line at once and
   * throws the signal's reason; after that the task itself watches the signal.
   */
  use<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/** Opens `count` places. */
export function openPlaces(count: number): Places {
  let free = count
  const line: (() => void)[] = []

  async function take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (free > 0) {
      free -= 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        line.splice(line.indexOf(enter), 1)
        reject(signal.reason)
      }
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      line.push(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  function giveBack(): void {
    const next = line.shift()
    if (next) next()
    else free += 1
  }

  return {
    async use(task, signal) {
      await take(signal)
      try {
        return await task()
      } finally {
        giveBack()
      }
    },
  }
}
