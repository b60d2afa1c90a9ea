import { CanvasSink, type InputVideoTrack } from 'mediabunny'
import { openMedia } from '#media/open-media.ts'
import { readMediaFacts } from '#media/read-facts.ts'
import { BlobWindow } from '#media/source/byte-window.ts'
import { toGray } from '#screen/gray.ts'
import { readScreen, type SampledFrame } from '#screen/read-screen.ts'
import { readPixels } from '#web/lib/step-images.ts'
import { UrlWindow } from '#web/lib/url-window.ts'
import { openEngine } from './open-engine.ts'
import type { FromScreenWorker, ScreenOrder, ToScreenWorker } from './screen-messages.ts'

/** Commands may be there for no longer before their output takes their place. */
const SAMPLE_EVERY_MS = 500
/** Larger pictures are reduced, 4K to two thirds: their text is larger, and all pixels are compared. Two screens fit. */
const PIXELS_MAX = 4_200_000
/** What was read is handed over after each such part of the video, so that little is lost with the tab. */
const PART_MS = 120_000
/** The share of the video's length that reading takes at most. */
const TIME_SHARE = 1 / 4

let resume: (() => void) | null = null
let paused: Promise<void> | null = null

addEventListener('message', ({ data }: MessageEvent<ToScreenWorker>) => {
  if ('order' in data) return void perform(data.order)
  if (data.isPaused) paused ??= new Promise((resolve) => (resume = resolve))
  else {
    resume?.()
    paused = null
  }
})

function post(message: FromScreenWorker): void {
  self.postMessage(message)
}

async function perform(order: ScreenOrder): Promise<void> {
  try {
    await readVideo(order)
  } catch (error) {
    post({ failed: error instanceof Error ? error.message : String(error) })
  }
}

async function readVideo({ video, fromMs, languages }: ScreenOrder): Promise<void> {
  const source = typeof video === 'string' ? await UrlWindow.open(video) : new BlobWindow(video)
  const { durationMs, startMs } = await readMediaFacts(source)
  const track = await openMedia(source).getPrimaryVideoTrack()
  if (track === null) return post({ reading: { readMs: durationMs, isDone: true, blocks: [], secrets: [] } })
  // not-shown: for developers.
  if (!(await track.canDecode())) throw new Error('This browser cannot decode the video')
  const engine = await openEngine(languages)
  const stopwatch = new Stopwatch()
  const budgetMs = (durationMs - fromMs) * TIME_SHARE
  const hasTime = () => stopwatch.elapsedMs < budgetMs
  const onProgress = (timeMs: number) => post({ percent: Math.min(99, Math.floor((100 * timeMs) / durationMs)) })
  for (let partMs = fromMs; partMs < durationMs || partMs === 0; partMs += PART_MS) {
    const untilMs = Math.min(durationMs, partMs + PART_MS)
    const frames = sampleFrames(track, { fromMs: partMs, untilMs, zeroMs: startMs, stopwatch })
    const reading = await readScreen(frames, { readLine: engine.readLine, hasTime, onProgress })
    const isDone = untilMs >= durationMs || !hasTime()
    // Where the time ran out, the rest stays unread.
    post({ reading: { ...reading, readMs: hasTime() ? untilMs : reading.readMs, isDone } })
    if (isDone) break
  }
  engine.close()
}

/** How long reading has taken, pauses aside. */
class Stopwatch {
  elapsedMs = 0
  #since = performance.now()

  lap(): void {
    const now = performance.now()
    this.elapsedMs += now - this.#since
    this.#since = now
  }

  restart(): void {
    this.#since = performance.now()
  }
}

interface Sampling {
  fromMs: number
  untilMs: number
  /** Where our times begin in those of the file. */
  zeroMs: number
  stopwatch: Stopwatch
}

async function* sampleFrames(track: InputVideoTrack, { fromMs, untilMs, zeroMs, stopwatch }: Sampling) {
  const [displayWidth, displayHeight] = [await track.getDisplayWidth(), await track.getDisplayHeight()]
  const width = Math.round(displayWidth * Math.min(1, Math.sqrt(PIXELS_MAX / (displayWidth * displayHeight))))
  const firstS = await track.getFirstTimestamp()
  const count = Math.max(1, Math.ceil((untilMs - fromMs) / SAMPLE_EVERY_MS))
  const timesMs = Array.from({ length: count }, (_, index) => fromMs + index * SAMPLE_EVERY_MS)
  // One canvas for all: its pixels are taken before the next is drawn.
  const sink = new CanvasSink(track, { width, poolSize: 1 })
  let next = 0
  for await (const drawn of sink.canvasesAtTimestamps(timesMs.map((ms) => Math.max(firstS, (zeroMs + ms) / 1000)))) {
    const timeMs = timesMs[next++]
    if (drawn !== null && timeMs !== undefined) {
      const frame: SampledFrame = { timeMs, image: toGray(readPixels(drawn.canvas as OffscreenCanvas)) }
      yield frame
    }
    stopwatch.lap()
    await paused
    stopwatch.restart()
  }
}
