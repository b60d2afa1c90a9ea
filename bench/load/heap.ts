import { openSocket } from '../client.ts'

interface HeapUsage {
  /** Bytes. */
  usedSize: number
  /** Bytes of buffers, which lie outside of the heap. */
  backingStorageSize: number
}

interface Said {
  id?: number
  result?: unknown
  error?: { message: string }
}

const GIVE_UP_MS = 30_000
/** What is only referred to by something that was collected goes with the next one. */
const COLLECTIONS = 3
/** A debugger is let in only from a page of this machine; the types of browsers do not know that Node takes headers. */
const FROM_HERE = { headers: { origin: 'http://localhost' } } as unknown as string[]

/**
 * Looks at what a worker's isolate holds.
 * @param inspectorUrl of the worker, as a debugger would use it
 * @param stir calls the worker: an idle isolate puts off what its debugger asks
 */
export async function openHeap(inspectorUrl: string, stir: () => Promise<unknown>) {
  const socket = await openSocket(inspectorUrl, FROM_HERE)
  const waiting = new Map<number, (said: Said) => void>()
  socket.addEventListener('message', ({ data }) => {
    const said = JSON.parse(String(data)) as Said
    waiting.get(said.id ?? 0)?.(said)
  })
  let asked = 0
  const ask = async (method: string, params = {}): Promise<unknown> => {
    asked += 1
    const id = asked
    const answer = new Promise<Said>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const giveUpAt = performance.now() + GIVE_UP_MS
    while (performance.now() < giveUpAt) {
      const said = await Promise.race([answer, stir().then(() => null)])
      if (said?.error !== undefined) throw new Error(`${method}: ${said.error.message}`)
      if (said !== null) return said.result
    }
    throw new Error(`no answer to ${method}`)
  }
  return {
    /** Megabytes of objects and of the buffers that belong to them, after a garbage collection. */
    async readMb() {
      // A debugger keeps each line that is logged, to show its parts when a person unfolds it.
      await ask('Runtime.discardConsoleEntries')
      await ask('Runtime.releaseObjectGroup', { objectGroup: 'console' })
      for (let collection = 0; collection < COLLECTIONS; collection += 1) await ask('HeapProfiler.collectGarbage')
      const { usedSize, backingStorageSize } = (await ask('Runtime.getHeapUsage')) as HeapUsage
      return (usedSize + backingStorageSize) / 1024 ** 2
    },
    close: () => socket.close(),
  }
}

export type Heap = Awaited<ReturnType<typeof openHeap>>
