import { CanvasSink, type InputVideoTrack, type WrappedCanvas } from 'mediabunny'
import { type AudioChunk, findAudioFormat } from '#media/audio-chunk.ts'
import { BlobWindow } from '#media/byte-window.ts'
import { cutAudioSlice } from '#media/cut-audio.ts'
import { openMedia } from '#media/open-media.ts'
import { readMediaFacts } from '#media/read-facts.ts'
import { encodeImage } from '#web/lib/encode-image.ts'
import { inspectFile } from './inspect-file.ts'
import {
  type AudioOrder,
  type FileAnswers,
  type FileTask,
  type FromWorker,
  type ImageOrder,
  MAX_WAITING,
  type ToWorker,
} from './messages.ts'

/** Everything that reads a picked file runs here: on the page's own thread it would freeze for seconds. */
let waiting = 0
let resume: (() => void) | null = null

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if ('task' in data) return void perform(data.task)
  waiting--
  resume?.()
})

async function perform(task: FileTask): Promise<void> {
  try {
    if (task.kind === 'audio') await cutAudio(task)
    else if (task.kind === 'images') await drawImages(task)
    else if (task.kind === 'convert') await convert(task)
    else await bring(await inspectFile(task.file))
    post({ done: true })
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    post({ failed: { name, message } })
  }
}

/** Hands an answer to the page; settles when there is room for another. */
async function bring(answer: FileAnswers[FileTask['kind']], transfer: Transferable[] = []): Promise<void> {
  waiting++
  post({ answer }, transfer)
  while (waiting >= MAX_WAITING) await new Promise<void>((resolve) => (resume = resolve))
}

function post(message: FromWorker<unknown>, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer })
}

/** Few videos are converted, so the encoders' code comes with the first. */
async function convert(task: FileTask & { kind: 'convert' }): Promise<void> {
  const { convertVideo } = await import('../convert/convert-video.ts')
  await convertVideo(task, bring)
}

/** Cuts a picked video's audio into the very chunks that the server would cut. Brings nothing where there is none. */
async function cutAudio({ file, knownDurationMs }: AudioOrder): Promise<void> {
  const source = new BlobWindow(file)
  const facts = await readMediaFacts(source, knownDurationMs)
  const format = findAudioFormat(facts.audio?.codec ?? null)
  if (format === null) return
  await bring({ facts: { durationMs: facts.durationMs, contentType: format.contentType } })
  const saveChunk = (chunk: AudioChunk) => bring({ chunk }, [chunk.bytes.buffer])
  // A browser has no memory limit of 128 MB, and a second slice would read the index again.
  await cutAudioSlice({ source, facts, fromMs: 0, firstChunk: 0, saveChunk, sliceMs: Number.POSITIVE_INFINITY })
}

/** Draws images of a picked video in order of time. Brings nothing where this browser cannot decode it. */
async function drawImages({ file, timesMs, maxWidthPx }: ImageOrder): Promise<void> {
  const track = await openMedia(new BlobWindow(file)).getPrimaryVideoTrack()
  if (track === null || !(await track.canDecode())) return
  const sorted = timesMs.toSorted((a, b) => a - b)
  let next = 0
  for await (const drawn of await drawAt(track, sorted, maxWidthPx)) {
    const timeMs = sorted[next++]
    const blob = drawn === null ? null : await encodeImage(drawn.canvas as OffscreenCanvas)
    if (timeMs !== undefined && blob !== null) await bring({ timeMs, blob })
  }
}

async function drawAt(
  track: InputVideoTrack,
  timesMs: number[],
  maxWidthPx: number,
): Promise<AsyncIterable<WrappedCanvas | null>> {
  const width = Math.min(maxWidthPx, await track.getDisplayWidth())
  const firstS = await track.getFirstTimestamp()
  // One canvas for all: each is written down before the next is drawn.
  const sink = new CanvasSink(track, { width, poolSize: 1 })
  return sink.canvasesAtTimestamps(timesMs.map((ms) => Math.max(firstS, ms / 1000)))
}
