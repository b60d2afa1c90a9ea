import { z } from 'zod'
import { STEP_HARD_LIMITS, VIDEO_MAX_S } from '../limits.ts'
import { FailureCode, ModuleStatus } from '../module.ts'
import { Success } from '../problem.ts'

const seconds = z.number().finite().min(0).max(VIDEO_MAX_S)

/** Where a step of the training is in the new recording. Times in seconds from its beginning. */
export const ProposedTime = z.object({
  start: seconds,
  end: seconds,
  /** How sure that is, 0 to 1. */
  confidence: z.number().min(0).max(1),
})
export type ProposedTime = z.infer<typeof ProposedTime>

/** A step of the training, and where it is in the new recording; null where it is not in it. */
export const AlignedStep = z.object({ id: z.string(), title: z.string(), proposed: ProposedTime.nullable() })
export type AlignedStep = z.infer<typeof AlignedStep>

/** A new recording of a training, which has a module of its own until its video is taken. */
export const Recording = z.object({
  moduleId: z.string(),
  filename: z.string(),
  /** Of its own module. */
  status: ModuleStatus,
  progress: z.number(),
  failureCode: FailureCode.nullable(),
  /** Nothing is said in it, or in the video that it replaces: a browser finds its steps by their images. */
  isSilent: z.boolean().default(false),
  /** Whether the caller may delete both videos, as taking this one does. */
  mayTake: z.boolean(),
  /** Whether the caller may delete it. */
  mayDrop: z.boolean(),
  /** Seconds; null until it is known. */
  durationS: z.number().nullable(),
  /** In the order of the list; empty until the recording is READY, or has failed because it is silent. */
  steps: z.array(AlignedStep),
  /** What is said in it that no step has. */
  added: z.array(z.object({ start: seconds, end: seconds, text: z.string() })),
  /** Of the steps of the training, on which the proposals are based. */
  version: z.number().int(),
})
export type Recording = z.infer<typeof Recording>

/** Answer of `GET /api/recordings/{id}`: the newest recording that is to replace the video of a training. */
export const RecordingAnswer = Success.extend({ recording: Recording.nullable() })
export type RecordingAnswer = z.infer<typeof RecordingAnswer>

/**
 * Body of `POST /api/recordings/{id}`: the training takes the video of the recording. Steps that are not named are
 * removed, and can be restored as any other.
 */
export const TakeRecording = z.strictObject({
  recordingId: z.string().min(1).max(64),
  /** Of the steps as the caller saw them; other ones are refused with `VersionConflict`. */
  version: z.number().int(),
  steps: z
    .array(
      z
        .strictObject({ id: z.string().min(1).max(64), start: seconds, end: seconds })
        .refine(({ start, end }) => end > start, 'must end after it starts'),
    )
    .max(STEP_HARD_LIMITS.maxSteps),
})
export type TakeRecording = z.infer<typeof TakeRecording>
