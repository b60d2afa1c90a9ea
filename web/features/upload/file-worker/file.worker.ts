import { CanvasSink, type InputVideoTrack, type WrappedCanvas } from 'mediabunny'
import { SCENES_MAX } from '#contract/limits.ts'
import { type AudioChunk, findAudioFormat } from '#media/audio-chunk.ts'
import { cutAudioSlice } from '#media/cut-audio.ts'
import { findScenes, planSamples, type Sample, toCells } from '#media/find-scenes.ts'
import { nameForeignContainer } from '#media/foreign-container.ts'
import { isNoMedia } from '#media/is-no-media.ts'
import { openMedia } from '#media/open-media.ts'
import { type MediaFacts, readMediaFacts, readStart } from '#media/read-facts.ts'
import { SNIFF_BYTES, sniffContainer } from '#media/sniff-container.ts'
import { BlobWindow, MediaFault } from '#media/source/byte-window.ts'
import { encodeImage } from '#web/lib/files.ts'
import { findUnseenBy } from '#web/lib/picture.ts'
import { makeStepImages, readPixels } from '#web/lib/step-images.ts'
import type { PickedMedia } from '../convert/open-for-conversion.ts'
import {
  type AudioOrder,
  type FileAnswers,
  type FileTask,
  type FromWorker,
  type ImageOrder,
  MAX_WAITING,
  NOTHING_FOUND,
  type ToWorker,
  type VideoFindings,
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
    else if (task.kind === 'step-images') await drawSteps(task)
    else if (task.kind === 'scenes') await bring({ startsMs: await findSceneStarts(task.file) })
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

/** Reads what a picked file is, and what will keep it from becoming a training or people from watching it. */
export async function inspectFile(file: Blob): Promise<VideoFindings> {
  if (file.size === 0) return { ...NOTHING_FOUND, fault: 'empty' }
  const first = new Uint8Array(await file.slice(0, SNIFF_BYTES).arrayBuffer())
  if (sniffContainer(first) === null) {
    if (isNoMedia(first)) return { ...NOTHING_FOUND, fault: 'no_media' }
    const container = nameForeignContainer(first)
    const conversion =
      container === 'MPEG-TS'
        ? await findConversion(file, async () =>
            (await import('../convert/open-for-conversion.ts')).openTransportStream(file),
          )
        : null
    // Its audio is cut out of what is made of it.
    const cutLater = conversion && { ...conversion, keepsAudio: false }
    return { ...NOTHING_FOUND, container, conversion: cutLater, fault: 'foreign_container' }
  }
  const source = new BlobWindow(file)
  try {
    const facts = await readMediaFacts(source)
    const findings = toFindings(facts)
    if (!needsConversion(findings)) return findings
    return {
      ...findings,
      conversion: await findConversion(file, async () =>
        (await import('../convert/open-for-conversion.ts')).openTracks(source, facts),
      ),
    }
  } catch (error) {
    if (error instanceof MediaFault) return { ...NOTHING_FOUND, fault: error.code }
    throw error
  }
}

function toFindings({ durationMs, container, audio, unsupportedAudio, ...picture }: MediaFacts): VideoFindings {
  const fault = audio === null ? 'no_audio' : null
  return {
    durationMs,
    audioCodec: audio?.codec ?? unsupportedAudio,
    container,
    videoCodec: picture.videoCodec,
    hasPicture: picture.hasVideo,
    conversion: null,
    fault: unsupportedAudio === null ? fault : 'unsupported_audio',
  }
}

function needsConversion({ videoCodec, container, fault }: VideoFindings): boolean {
  return fault === 'unsupported_audio' || (videoCodec !== null && findUnseenBy(videoCodec, container) !== null)
}

async function findConversion(file: Blob, open: () => Promise<PickedMedia>): Promise<VideoFindings['conversion']> {
  // Most files need no converter, so it is loaded for those that may.
  const { planConversion } = await import('../convert/convert-video.ts')
  const { canStore, hasRoomFor } = await import('../convert/converted-files.ts')
  if (!(await canStore())) return null
  try {
    const plan = await planConversion(await open())
    return plan && { keepsAudio: plan.audio.codec === undefined, hasRoom: await hasRoomFor(file.size) }
  } catch (error) {
    console.info('The file cannot be converted', error)
    return null
  }
}

/** Few videos are converted, so the encoders' code comes with the first. */
async function convert(task: FileTask & { kind: 'convert' }): Promise<void> {
  const { convertVideo } = await import('../convert/convert-video.ts')
  await convertVideo(task, bring)
}

/**
 * Cuts a picked video's audio into the very chunks that the server would cut. Brings nothing where there is none, or where
 * the server is to decide between tracks.
 */
async function cutAudio({ file, knownDurationMs }: AudioOrder): Promise<void> {
  const source = new BlobWindow(file)
  const facts = await readMediaFacts(source, knownDurationMs)
  const format = findAudioFormat(facts.audio?.codec ?? null)
  if (format === null || facts.candidates.length > 0) return
  await bring({ facts: { startMs: facts.startMs, durationMs: facts.durationMs, contentType: format.contentType } })
  const saveChunk = (chunk: AudioChunk) => bring({ chunk }, [chunk.bytes.buffer])
  // A browser has no memory limit of 128 MB, and a second slice would read the index again.
  await cutAudioSlice({ source, facts, fromMs: 0, firstChunk: 0, saveChunk, sliceMs: Number.POSITIVE_INFINITY })
}

/** Draws images of a picked video in order of time. Brings nothing where this browser cannot decode it. */
async function drawImages({ file, timesMs, maxWidthPx }: ImageOrder): Promise<void> {
  const picture = await openPicture(file)
  if (picture === null || !(await picture.track.canDecode())) return
  const sorted = timesMs.toSorted((a, b) => a - b)
  let next = 0
  for await (const drawn of await drawAt(picture, sorted, maxWidthPx)) {
    const timeMs = sorted[next++]
    const blob = drawn === null ? null : await encodeImage(drawn.canvas as OffscreenCanvas)
    if (timeMs !== undefined && blob !== null) await bring({ timeMs, blob })
  }
}

/** Makes the images of steps of a picked video, one step after the other. Brings nothing where this browser cannot decode it. */
async function drawSteps({ file, spans }: FileTask & { kind: 'step-images' }): Promise<void> {
  const picture = await openPicture(file)
  if (picture === null || !(await picture.track.canDecode())) return
  async function* draw(timesMs: readonly number[], maxWidthPx: number) {
    if (picture === null) return
    for await (const drawn of await drawAt(picture, timesMs, maxWidthPx))
      yield (drawn?.canvas ?? null) as OffscreenCanvas
  }
  for (const span of spans) {
    const images = await makeStepImages(draw, span)
    if (images !== null) await bring({ startMs: span.startMs, ...images })
  }
}

/** Wide enough that scaling down does not flicker, and quick to read. */
const SAMPLE_WIDTH_PX = 160

/** Finds when the scenes of a picked video begin. @throws where this browser cannot decode it */
async function findSceneStarts(file: Blob): Promise<number[]> {
  const picture = await openPicture(file)
  if (picture === null) return []
  // not-shown: for developers.
  if (!(await picture.track.canDecode())) throw new Error('This browser cannot decode the video')
  const { durationMs } = await readMediaFacts(picture.source)
  const timesMs = planSamples(durationMs)
  const samples: Sample[] = []
  let next = 0
  for await (const drawn of await drawAt(picture, timesMs, SAMPLE_WIDTH_PX)) {
    const timeMs = timesMs[next++] ?? durationMs
    if (drawn !== null) samples.push({ timeMs, cells: toCells(readPixels(drawn.canvas as OffscreenCanvas)) })
  }
  // not-shown: for developers.
  if (samples.length === 0 && timesMs.length > 0) throw new Error('This browser could not draw the video')
  return findScenes(samples, { durationMs, most: SCENES_MAX })
}

/** The picture of a file that was picked. */
interface Picture {
  source: BlobWindow
  track: InputVideoTrack
  /** Where our times begin in those of the file. */
  zeroS: number
}

async function openPicture(file: Blob): Promise<Picture | null> {
  const source = new BlobWindow(file)
  const startMs = await readStart(source)
  const track = await openMedia(source).getPrimaryVideoTrack()
  return track && { source, track, zeroS: startMs / 1000 }
}

async function drawAt(
  { track, zeroS }: Picture,
  timesMs: readonly number[],
  maxWidthPx: number,
): Promise<AsyncIterable<WrappedCanvas | null>> {
  const width = Math.min(maxWidthPx, await track.getDisplayWidth())
  const firstS = await track.getFirstTimestamp()
  // One canvas for all: each is written down before the next is drawn.
  const sink = new CanvasSink(track, { width, poolSize: 1 })
  return sink.canvasesAtTimestamps(timesMs.map((ms) => Math.max(firstS, zeroS + ms / 1000)))
}
