import { runFileTask } from '../file-worker/run-file-task.ts'
import { NOTHING_FOUND, type VideoFault, type VideoFindings } from './video-findings.ts'

/** What is wrong with a picked file and what to do about it, in a person's words. */
export interface VideoProblem {
  title: string
  whatToDo: string
  /** Whether sending it makes sense all the same, because captions can take the place of its audio. */
  canBeSent: boolean
}

export interface InspectedVideo extends Omit<VideoFindings, 'fault'> {
  problem: VideoProblem | null
}

/** A recording without a stated length is read to its end; the upload starts after this time at the latest. */
const INSPECT_WITHIN_MS = 4_000

/**
 * Looks into a picked file before it is sent. Never fails: what cannot be found out stays null, and then it is for the
 * server to decide.
 */
export async function inspectVideo(file: File, withinMs: number = INSPECT_WITHIN_MS): Promise<InspectedVideo> {
  const { fault, ...findings } = await findOut(file, withinMs)
  return { ...findings, problem: fault === null ? null : PROBLEMS[fault](findings) }
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

type Describe = (findings: Omit<VideoFindings, 'fault'>) => VideoProblem

const PROBLEMS: Record<VideoFault, Describe> = {
  empty: () => ({
    title: 'This file is empty',
    whatToDo: 'It holds 0 bytes. Copy or record it again, then select the new file.',
    canBeSent: false,
  }),
  no_media: () => ({
    title: 'This file is not a video',
    whatToDo: 'Its name says video, its content does not. Choose the video itself, such as an MP4, WebM or MOV file.',
    canBeSent: false,
  }),
  unreadable: () => ({
    title: 'This video cannot be read',
    whatToDo: 'Export it again as MP4 or WebM, then choose the new file.',
    canBeSent: false,
  }),
  truncated: () => ({
    title: 'This video is incomplete',
    whatToDo: 'The file breaks off. Wait until it is fully saved, copy or export it again, then select the new file.',
    canBeSent: false,
  }),
  no_audio: () => ({
    title: 'This video has no audio',
    whatToDo:
      'Steps come from what is said. Add a caption file (.vtt or .srt) together with it, or record it with audio.',
    canBeSent: true,
  }),
  unsupported_audio: ({ audioCodec }) => ({
    title: `The audio of this video is in ${audioCodec ?? 'a format'}, which Adapt cannot read`,
    whatToDo: 'Export it with AAC or Opus audio, or add a caption file (.vtt or .srt) together with it.',
    canBeSent: true,
  }),
}
