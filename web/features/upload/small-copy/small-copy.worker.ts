import { StreamTarget } from 'mediabunny'
import { SMALL_COPY_SHARE_MAX } from '#contract/small-copy.ts'
import { partsOf, readEarlyIndex } from '#media/iso/early-index.ts'
import { openMedia } from '#media/open-media.ts'
import { type MediaFacts, readMediaFacts } from '#media/read-facts.ts'
import { BlobWindow, type ByteWindow } from '#media/source/byte-window.ts'
import { UrlWindow } from '#web/lib/url-window.ts'
import { endingStalled, writeTo } from '../convert/convert-video.ts'
import { createTarget, findConverted } from '../convert/converted-files.ts'
import { type AudioSum, findDifference, sumAudio } from './compare-copy.ts'
import type { CopyOrder, FromCopyWorker, MadeCopy, ToCopyWorker } from './copy-messages.ts'
import { type CopiedVideo, DenserThanLimit, encodeCopy } from './encode-copy.ts'
import { BurstLimit } from './limit-burst.ts'
import { listShown } from './shown-parts.ts'
import { BITS_PER_S, SHARP_BITS_PER_S } from './size-copy.ts'
import { tellKind } from './tell-kind.ts'

/** Picture and audio are read side by side, up to seconds apart. */
const READERS = 2
const CHUNK_BYTES = 4 * 1024 * 1024

let resume: (() => void) | null = null
let paused: Promise<void> | null = null

addEventListener('message', ({ data }: MessageEvent<ToCopyWorker>) => {
  if ('order' in data) return void perform(data.order)
  if (data.isPaused) paused ??= new Promise((resolve) => (resume = resolve))
  else {
    resume?.()
    paused = null
  }
})

function post(message: FromCopyWorker): void {
  self.postMessage(message)
}

async function perform(order: CopyOrder): Promise<void> {
  try {
    post({ made: await makeCopy(order) })
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    post({ failed: `${name}: ${message}` })
  }
}

async function makeCopy(order: CopyOrder): Promise<MadeCopy> {
  const { video, audioTrackId, folder, name } = order
  const source = typeof video === 'string' ? await UrlWindow.open(video, READERS) : new BlobWindow(video, READERS)
  const facts = await readMediaFacts(source, null, audioTrackId)
  const shown = listShown(order.cuts, facts.durationMs / 1000)
  const copied = { ...(await openTracks(source, facts)), shown }
  const sum = await write(copied, { order, facts, source })
  if (sum === 'too large') return null
  const file = await moveIndex(await (await findConverted(folder, name)).getFile())
  const codec = await check(file, { original: copied, facts, sum })
  return file.size > source.sizeBytes * SMALL_COPY_SHARE_MAX ? null : { file, codec }
}

async function openTracks(source: ByteWindow, { audio, startMs }: MediaFacts): Promise<Omit<CopiedVideo, 'shown'>> {
  const input = openMedia(source)
  const picture = await input.getPrimaryVideoTrack()
  // not-shown: for developers.
  if (picture === null) throw new Error('The video has no picture')
  const chosen = (await input.getAudioTracks()).find(({ id }) => id === audio?.trackId)
  return { picture, audio: chosen ?? (await input.getPrimaryAudioTrack()), startMs }
}

interface Writing {
  order: CopyOrder
  facts: MediaFacts
  source: ByteWindow
}

/** Writes the copy into the browser's own storage, with its index behind; breaks off where it gets too large. */
async function write(video: CopiedVideo, { order, facts, source }: Writing): Promise<AudioSum | null | 'too large'> {
  const { durationMs } = facts
  const kind = await tellKind(video.picture, facts, source)
  const stored = await createTarget(order.folder, order.name)
  const counted = countWritten(stored, source.sizeBytes * SMALL_COPY_SHARE_MAX)
  try {
    let sum: AudioSum | null = null
    let percent = -1
    await endingStalled(async (noteProgress) => {
      const onWritten = async (timeS: number) => {
        noteProgress()
        const now = Math.min(99, Math.floor((100_000 * timeS) / durationMs))
        if (now > percent) post({ percent: (percent = now) })
        if (paused === null) return
        // A person who uploads, or watches, comes first, for however long.
        const waiting = setInterval(noteProgress, 1_000)
        await paused
        clearInterval(waiting)
      }
      const { stepStartsMs } = order
      const openTarget = () => new StreamTarget(writeTo(counted), { chunked: true, chunkSize: CHUNK_BYTES })
      const encode = (rate: Pick<Parameters<typeof encodeCopy>[1], 'bitsPerS' | 'limit'>) =>
        encodeCopy(video, { ...rate, target: openTarget(), stepStartsMs, onWritten })
      const ceiling = { bitsPerS: BITS_PER_S[kind], limit: null }
      if (kind === 'camera') sum = await encode(ceiling)
      else {
        const limit = new BurstLimit(BITS_PER_S.screen)
        sum = await encode({ bitsPerS: SHARP_BITS_PER_S, limit }).catch((error: unknown) => {
          if (!(error instanceof DenserThanLimit || counted.isTooLarge())) throw error
          counted.clear()
          percent = -1
          return encode(ceiling)
        })
      }
    })
    stored.flush()
    return sum
  } catch (error) {
    if (counted.isTooLarge()) return 'too large'
    throw error
  } finally {
    stored.close()
  }
}

function countWritten(stored: Awaited<ReturnType<typeof createTarget>>, maxBytes: number) {
  let writtenBytes = 0
  return {
    write(data: Uint8Array<ArrayBuffer>, { at }: { at: number }): number {
      writtenBytes = Math.max(writtenBytes, at + data.byteLength)
      // Ends the encoding: less is written than was to be.
      return writtenBytes > maxBytes ? 0 : stored.write(data, { at })
    },
    clear() {
      stored.truncate(0)
      writtenBytes = 0
    },
    isTooLarge: () => writtenBytes > maxBytes,
  }
}

/** Puts the index in front, where a player finds it with its first request. Nothing is copied. */
async function moveIndex(file: Blob): Promise<Blob> {
  const early = await readEarlyIndex(new BlobWindow(file))
  if (early === null) return file
  const first = new Blob([early.first as Uint8Array<ArrayBuffer>])
  const parts = partsOf(early.move, { offset: 0, length: file.size }).map(({ of, offset, length }) =>
    (of === 'first' ? first : file).slice(offset, offset + length),
  )
  return new Blob(parts, { type: 'video/mp4' })
}

interface Checked {
  original: CopiedVideo
  facts: MediaFacts
  /** Of the original's audio; null where the copy's is another. */
  sum: AudioSum | null
}

/** @returns the codec string of the copy @throws where its times or its audio are not those of the original */
async function check(file: Blob, { original, facts, sum }: Checked): Promise<string> {
  const source = new BlobWindow(file, READERS)
  const copied = await readMediaFacts(source)
  const { picture, audio } = await openTracks(source, copied)
  const difference = await findDifference(
    { ...original, durationMs: facts.durationMs, audio: sum },
    // Its times count from 0, also where nothing is shown or heard at first.
    { picture, startMs: 0, durationMs: copied.durationMs, audio: sum && audio && (await sumAudio(audio)) },
    original.shown,
  )
  // not-shown: for developers.
  if (difference !== null || copied.videoCodec === null) throw new Error(`The small copy is another: ${difference}`)
  return copied.videoCodec
}
