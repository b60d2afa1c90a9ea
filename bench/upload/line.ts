import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeRandom } from '#media/testing/random.ts'
import type { Bench } from '../scenario.ts'
import { bucketAt, type ServedWorker } from '../serve.ts'

/** Waits as long as a line takes for so many bytes of one connection. */
type Pace = (bytes: number) => Promise<void>

interface LineOptions {
  /** Upwards; asked once for each connection. */
  openPace: () => Pace
  /** What an answer takes on its way down. */
  answerDelayMs?: number
}

/** A line between a browser and a server of this machine that is slower upwards than the machine. */
async function openLine({ openPace, answerDelayMs = 0 }: LineOptions) {
  const clients = new Set<Socket>()
  const server = createServer((client) => {
    const remote = createConnection({ port: line.toPort, host: '127.0.0.1' })
    const endBoth = () => [client, remote].forEach((socket) => socket.destroy())
    for (const socket of [client, remote]) socket.setNoDelay(true).on('error', endBoth)
    clients.add(client.on('close', () => clients.delete(client)))
    const pace = openPace()
    const sendUp = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        await pace(chunk.byteLength)
        line.sentBytes += chunk.byteLength
        yield chunk
      }
    }
    pipeline(client, sendUp, remote).catch(endBoth)
    remote.on('data', (bytes) => setTimeout(() => client.writable && client.write(bytes), answerDelayMs))
    remote.on('end', () => setTimeout(() => client.end(), answerDelayMs))
  })
  const close = () => {
    server.close()
    for (const client of clients) client.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  /** `toPort`, where it ends, is known later; `sentBytes` have gone up so far. */
  const line = { origin: `http://localhost:${port}`, toPort: 0, sentBytes: 0, close }
  return line
}

/** One rate for all connections together, as an uplink has. */
export function throttledTo(bytesPerS: number): () => Pace {
  let freeAt = 0
  return () => async (bytes) => {
    const now = performance.now()
    freeAt = Math.max(now, freeAt) + (bytes / bytesPerS) * 1000
    if (freeAt > now) await sleep(freeAt - now)
  }
}

const SEGMENT_BYTES = 1460
/** RFC 6928. */
const FIRST_WINDOW = 10
/** What keeps a window within reason while nothing is lost: 3 MB, Linux' usual send buffer. */
const LARGEST_WINDOW = 2_000

/**
 * What is left of each connection on a line that loses segments: a window of them per round trip, which doubles at
 * first, grows by one from then on, and is halved by a loss, whose repetition costs a round trip (TCP Reno, RFC 5681).
 * The losses are the same in every run.
 */
export function losing({ share, roundTripMs }: { share: number; roundTripMs: number }): () => Pace {
  let connections = 0
  return () => {
    const random = makeRandom(++connections)
    let window = FIRST_WINDOW
    let threshold = LARGEST_WINDOW
    let left = window * SEGMENT_BYTES
    let isLost = false
    let roundAt = performance.now()
    async function endRound(): Promise<void> {
      const roundMs = roundTripMs * (isLost ? 2 : 1)
      await sleep(Math.max(0, roundAt + roundMs - performance.now()))
      if (isLost) threshold = window = Math.max(2, Math.floor(window / 2))
      else window = Math.min(LARGEST_WINDOW, window < threshold ? window * 2 : window + 1)
      isLost = false
      left = window * SEGMENT_BYTES
      roundAt = performance.now()
    }
    return async (bytes) => {
      for (let rest = bytes; rest > 0; ) {
        if (left === 0) await endRound()
        const sent = Math.min(left, rest)
        left -= sent
        rest -= sent
        for (let segment = 0; segment < sent / SEGMENT_BYTES; segment++) isLost ||= random() < share
      }
    }
  }
}

export interface ServedProduct extends ServedWorker {
  line: Awaited<ReturnType<typeof openLine>>
}

/** Measures with the product's worker behind a line: page, API and storage are at the same end of it. */
export async function behindLine<T>(
  bench: Bench,
  { assets, ...pace }: LineOptions & { assets: string },
  measure: (product: ServedProduct) => Promise<T>,
): Promise<T> {
  const line = await openLine(pace)
  const worker = await bench.serve({ assets, vars: { APP_ORIGINS: line.origin, ...bucketAt(line.origin) } })
  line.toPort = Number(new URL(worker.url).port)
  const measured = await measure({ ...worker, line })
  line.close()
  await worker.stop()
  return measured
}
