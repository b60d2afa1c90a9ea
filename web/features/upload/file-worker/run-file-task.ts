import type { StepSpan } from '#media/choose-frame.ts'
import { formatBytes } from '#web/lib/format-bytes.ts'
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
      worker.addEventListener('error', ({ message }) => fail(message || 'The file worker did not start'))
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
  const problem = fault === null ? null : describeFault(fault, findings)
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
  empty: ['This file is empty', 'It holds 0 bytes. Copy or record it again, then select the new file.'],
  no_media: [
    'This file is not a video',
    'Its name says video, its content does not. Choose the video itself, such as an MP4, WebM or MOV file.',
  ],
  foreign_container: [
    'This file is in a format that Adapt cannot read',
    'Export it as MP4 with H.264 video and AAC audio, then choose the new file.',
  ],
  unreadable: ['This video cannot be read', 'Export it again as MP4 or WebM, then choose the new file.'],
  truncated: [
    'This video is incomplete',
    'The file breaks off. Wait until it is fully saved, copy or export it again, then select the new file.',
  ],
  no_audio: [
    'This video has no audio',
    'Steps come from what is said. Add a caption file (.vtt or .srt) together with it, or upload it as it is and name the scenes that are seen in it.',
  ],
  unsupported_audio: [
    'The audio of this video is in a format, which Adapt cannot read',
    'Export it with AAC or Opus audio, or add a caption file (.vtt or .srt) together with it.',
  ],
}

function describeFault(fault: VideoFault, found: Pick<VideoFindings, 'audioCodec' | 'container'>): VideoProblem {
  const [title, whatToDo] = PROBLEMS[fault]
  if (fault === 'foreign_container' && found.container !== null) {
    return { title: `Adapt cannot read ${found.container} files`, whatToDo, canBeSent: false }
  }
  const canBeSent = fault === 'no_audio' || fault === 'unsupported_audio'
  return { title: title.replace('a format,', `${found.audioCodec ?? 'a format'},`), whatToDo, canBeSent }
}

const NO_PICTURE = {
  title: 'This file has no picture',
  whatToDo: 'It holds only audio, so learners would see an empty player. Choose the video, or upload it as it is.',
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
  const format =
    findUnseenBy(videoCodec) === null ? 'an MKV file' : `in ${namePicture(videoCodec) ?? 'an uncommon format'}`
  return {
    title: `Not everybody can watch this video: it is ${format}`,
    whatToDo: `${unseenBy} ${remedyOf(conversion, sizeBytes)}`,
    canBeSent: true,
  }
}

function remedyOf(conversion: VideoFindings['conversion'], sizeBytes: number): string {
  if (conversion === null) return 'Export it as MP4 with H.264 to reach everybody.'
  if (conversion.hasRoom) return 'Convert it here in your browser to reach everybody.'
  return `Your browser has no room to convert it, which takes about ${formatBytes(sizeBytes)}: free some space on this computer and select it again, or export it as MP4 with H.264.`
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
  throw new Error('The file worker said nothing about scenes')
}

type ImagesOrder = ImageOrder & { signal?: AbortSignal }
