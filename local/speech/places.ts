/** A fixed number of places; who comes when all are taken waits in line. */
export interface Places {
  /**
   * Runs the task when a place is free, first come first served. An abort while waiting leaves the line at once and
   * throws the signal's reason; after that the task itself watches the signal.
   * @throws {LineFull} at once, instead of making a line longer than it may be
   */
  use<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/** Nobody may join the line: it is as long as it may get. */
export class LineFull extends Error {
  override name = 'LineFull'
}

/** Opens `count` places, with a line of so many at most before them. */
export function openPlaces(count: number, longestLine = Number.POSITIVE_INFINITY): Places {
  let free = count
  const line: (() => void)[] = []

  async function take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (free > 0) {
      free -= 1
      return
    }
    if (line.length >= longestLine) throw new LineFull()
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
