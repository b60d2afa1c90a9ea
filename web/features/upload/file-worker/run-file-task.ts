import type { StepSpan } from '#media/choose-frame.ts'
import * as m from '#messages'
import { formatBytes } from '#web/lib/format/format-bytes.ts'
import { nameAudio } from '#web/lib/format/name-audio.ts'
import { findUnseenBy, namePicture } from '#web/lib/picture.ts'
import {
  type DrawnImage,
  type DrawnStep,
  type FileAnswers,
  type FileTask,
  type FromWorker,
  type ImageOrder,
  NOTHING_FOUND,
  type ToWorker,
  type VideoFault,
  type VideoFindings,
} from './messages.ts'

export type FileWorker = Pick<Worker, 'postMessage' | 'addEventListener' | 'terminate'>

interface RunOptions {
  signal?: AbortSignal | undefined
  openWorker?: () => FileWorker
}

/**
 * Runs a task in a web worker of its own, which ends with it, with the signal, or when the consumer stops iterating.
 * The worker pauses while too many of its answers are unread.
 * @throws when the worker fails, with the name of its error, or cannot be started; the signal's reason when it aborts
 */
export async function* runFileTask<Task extends FileTask>(
  task: Task,
  { signal, openWorker = openFileWorker }: RunOptions = {},
): AsyncGenerator<FileAnswers[Task['kind']], void> {
  signal?.throwIfAborted()
  const worker = openWorker()
  const over = new AbortController()
  const inbox = openInbox<FromWorker<FileAnswers[Task['kind']]>>(worker, over.signal, signal)
  const send = (message: ToWorker) => worker.postMessage(message)
  try {
    send({ task })
    for (;;) {
      const { value: message } = await inbox.read()
      if (message === undefined || 'done' in message) return
      if ('failed' in message) throw Object.assign(new Error(message.failed.message), { name: message.failed.name })
      yield message.answer
      send({ taken: true })
    }
  } finally {
    over.abort()
    worker.terminate()
  }
}

function openFileWorker(): FileWorker {
  return new Worker(new URL('./file.worker.ts', import.meta.url), { type: 'module', name: 'file' })
}

/** Messages in their order. Fails at once when the worker fails or the signal aborts. */
function openInbox<Message>(worker: FileWorker, over: AbortSignal, signal: AbortSignal | undefined) {
  const messages = new ReadableStream<Message>({
    start(inbox) {
      const fail = (message: string) => inbox.error(new Error(message))
      worker.addEventListener('message', ({ data }) => inbox.enqueue(data))
      // not-shown: for developers.
      worker.addEventListener('error', ({ message }) => fail(message || 'The file worker did not start'))
      // not-shown: for developers.
      worker.addEventListener('messageerror', () => fail('The file worker sent what cannot be read'))
      const onAbort = () => {
        // At once, because a caller that aborts may never ask for another answer.
        worker.terminate()
        inbox.error(signal?.reason)
      }
      signal?.addEventListener('abort', onAbort, { signal: over })
    },
  })
  return messages.getReader()
}

/** What is wrong with a picked file and what to do about it, in a person's words. */
export interface VideoProblem {
  title: string
  whatToDo: string
  /** Whether sending it makes sense all the same, because captions can take the place of its audio. */
  canBeSent: boolean
  /** Whether a conversion in this browser makes a file of it that can be sent. */
  canBeConverted?: boolean
}

export interface InspectedVideo extends Omit<VideoFindings, 'fault'> {
  problem: VideoProblem | null
  /** What keeps some people from watching it. Captions are no remedy for that. */
  picture: VideoProblem | null
}

/** A recording without a stated length is read to its end; the upload starts after this time at the latest. */
const INSPECT_WITHIN_MS = 4_000

/**
 * Looks into a picked file before it is sent. Never fails: what cannot be found out stays null, and then it is for the
 * server to decide.
 */
export async function inspectVideo(file: File, withinMs: number = INSPECT_WITHIN_MS): Promise<InspectedVideo> {
  const { fault, ...findings } = await findOut(file, withinMs)
  const problem = fault === null ? null : describeFault(fault, findings, file.size)
  return { ...findings, problem, picture: describePicture(findings, file.size) }
}

async function findOut(file: File, withinMs: number): Promise<VideoFindings> {
  try {
    const answers = runFileTask({ kind: 'inspect', file }, { signal: AbortSignal.timeout(withinMs) })
    for await (const found of answers) return found
    return NOTHING_FOUND
  } catch (error) {
    console.info('The file could not be looked into here', error)
    return NOTHING_FOUND
  }
}

const PROBLEMS: Record<VideoFault, readonly [title: string, whatToDo: string]> = {
  empty: [m.file_is_empty(), m.file_holds_nothing()],
  no_media: [m.file_is_not_a_video(), m.choose_the_video_itself()],
  foreign_container: [m.file_format_unknown(), m.export_as_mp4()],
  unreadable: [m.video_cannot_be_read(), m.export_again()],
  truncated: [m.video_is_incomplete(), m.wait_until_saved()],
  encrypted: [m.video_is_encrypted(), m.export_unprotected()],
  no_audio: [m.video_has_no_audio(), m.add_captions_or_name_scenes()],
  unsupported_audio: [m.audio_format_unknown(), m.export_audio_or_add_captions()],
}

export function describeFault(
  fault: VideoFault,
  { audioCodec, container, conversion }: Omit<VideoFindings, 'fault'>,
  sizeBytes: number,
): VideoProblem {
  const [title, whatToDo] = PROBLEMS[fault]
  const noRoom = conversion?.hasRoom === false ? m.no_room_to_convert({ size: formatBytes(sizeBytes) }) : null
  if (fault === 'foreign_container' && container !== null) {
    const remedy = conversion === null ? whatToDo : (noRoom ?? m.convert_here())
    const problem = { title: m.cannot_read_container({ container }), whatToDo: remedy, canBeSent: false }
    return conversion?.hasRoom === true ? { ...problem, canBeConverted: true } : problem
  }
  if (fault === 'unsupported_audio' && audioCodec !== null) {
    const remedy = conversion === null ? whatToDo : (noRoom ?? m.convert_here_or_add_captions())
    return { title: m.cannot_read_audio_codec({ codec: nameAudio(audioCodec) }), whatToDo: remedy, canBeSent: true }
  }
  return { title, whatToDo, canBeSent: fault === 'no_audio' || fault === 'unsupported_audio' }
}

const NO_PICTURE = {
  title: m.file_has_no_picture(),
  whatToDo: m.choose_video_with_picture(),
  canBeSent: true,
}

/** Who will see nothing of a video, and what to do about it. */
function describePicture(
  { videoCodec, hasPicture, container, conversion }: Omit<VideoFindings, 'fault'>,
  sizeBytes: number,
): VideoProblem | null {
  if (hasPicture === false) return NO_PICTURE
  const unseenBy = videoCodec && findUnseenBy(videoCodec, container)
  if (!unseenBy) return null
  const format = namePicture(videoCodec)
  const inFormat = format === null ? m.not_everybody_uncommon_format() : m.not_everybody_format({ format })
  return {
    title: findUnseenBy(videoCodec) === null ? m.not_everybody_mkv() : inFormat,
    whatToDo: `${unseenBy} ${remedyOf(conversion, sizeBytes)}`,
    canBeSent: true,
  }
}

function remedyOf(conversion: VideoFindings['conversion'], sizeBytes: number): string {
  if (conversion === null) return m.export_to_reach_everybody()
  if (conversion.hasRoom) return m.convert_to_reach_everybody()
  return m.no_room_to_convert({ size: formatBytes(sizeBytes) })
}

/** What a person should know of a file before it is sent. */
export function listDoubts(
  { problem, picture }: InspectedVideo,
  { hasCaptions }: { hasCaptions: boolean },
): VideoProblem[] {
  if (problem?.canBeSent === false) return [problem]
  // Captions stand in for the audio, so a video without any is no problem with them.
  return [hasCaptions ? null : problem, picture].filter((doubt) => doubt !== null)
}

/**
 * Images of a picked video at the given times, in order of time, as WebP or JPEG of at most 100 KB. Never fails: what
 * this browser cannot decode or draw is left out.
 */
export async function* makeImages({ signal, ...order }: ImagesOrder): AsyncGenerator<DrawnImage, void> {
  try {
    yield* runFileTask({ kind: 'images', ...order }, { signal })
  } catch (error) {
    if (!signal?.aborted) console.info('No pictures could be made of this video here', error)
  }
}

/** Images of steps of a picked video, in their order. Never fails: steps without a fit frame are left out, and so is what this browser cannot decode. */
export async function* makeImagesOfSteps({
  signal,
  ...order
}: {
  file: Blob
  spans: StepSpan[]
  signal?: AbortSignal
}): AsyncGenerator<DrawnStep, void> {
  try {
    yield* runFileTask({ kind: 'step-images', ...order }, { signal })
  } catch (error) {
    if (!signal?.aborted) console.info('No images of steps could be made of this video here', error)
  }
}

/**
 * When the scenes of a video begin, in milliseconds; none where nothing changes.
 * @throws where this browser cannot look through it
 */
export async function lookForScenes(file: Blob, signal: AbortSignal): Promise<number[]> {
  for await (const { startsMs } of runFileTask({ kind: 'scenes', file }, { signal })) return startsMs
  // not-shown: for developers.
  throw new Error('The file worker said nothing about scenes')
}

type ImagesOrder = ImageOrder & { signal?: AbortSignal }
