import { openSocket } from '../client.ts'
import { waitFor } from '../rounds.ts'

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
  const answers = new Map<number, Said>()
  socket.addEventListener('message', ({ data }) => {
    const said = JSON.parse(String(data)) as Said
    if (said.id !== undefined) answers.set(said.id, said)
  })
  let id = 0
  const ask = async (method: string, params = {}): Promise<unknown> => {
    id += 1
    socket.send(JSON.stringify({ id, method, params }))
    const look = () => stir().then(() => answers.get(id) ?? null)
    const { error, result } = await waitFor(look, { everyMs: 0, withinMs: GIVE_UP_MS })
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
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
