import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { ModuleAnswer } from '#contract/module.ts'
import { type Step, StepsAnswer } from '#contract/step.ts'
import { TranscriptAnswer } from '#contract/transcript.ts'
import { CompleteAnswer, PresignAnswer } from '#contract/upload.ts'
import type { ChaosVideo } from './make-videos.ts'
import type { RetryingClient } from './retrying-client.ts'

/** What a person sees of a finished module, without what differs between any two: ids and times of day. */
export interface Training {
  title: string
  totalDuration: number | null
  language: string | null
  segments: z.infer<typeof TranscriptAnswer>['segments']
  steps: Omit<Step, 'id'>[]
  /** The transcript as one text. */
  transcript: string
}

const POLL_MS = 400

/** Uploads a video as a browser does, and says complete once more than it has to. @returns the module's id */
export async function uploadVideo(client: RetryingClient, video: ChaosVideo, signal: AbortSignal): Promise<string> {
  const { filename, contentType, bytes } = video
  const presigned = await client.call(PresignAnswer, {
    path: '/api/presigned-upload/presigned-url',
    json: { filename, contentType, sizeBytes: bytes.byteLength },
    signal,
  })
  await client.put({ url: presigned.uploadUrl, contentType, bytes }, signal)
  const complete = { path: '/api/upload/complete', json: { moduleId: presigned.moduleId, key: presigned.key }, signal }
  const first = await client.call(CompleteAnswer, complete)
  const again = await client.call(CompleteAnswer, complete)
  if (JSON.stringify(first) !== JSON.stringify(again)) {
    throw new Error(`complete answered ${JSON.stringify(first)}, then ${JSON.stringify(again)}`)
  }
  return presigned.moduleId
}

/** Polls until the module is READY. @throws when it ends otherwise, or `signal` comes first */
export async function waitUntilReady(client: RetryingClient, moduleId: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { module } = await client.call(ModuleAnswer, { path: `/api/modules/${moduleId}`, signal })
    if (module.status === 'READY') return
    if (module.status === 'FAILED') throw new Error(`FAILED: ${module.lastError}`)
    try {
      await sleep(POLL_MS, undefined, { signal })
    } catch {
      throw new Error(`still ${module.status} at ${module.progress} %: ${module.message}`)
    }
  }
}

export async function readTraining(client: RetryingClient, moduleId: string, signal: AbortSignal): Promise<Training> {
  const { module } = await client.call(ModuleAnswer, { path: `/api/modules/${moduleId}`, signal })
  const { steps, transcript } = await client.call(StepsAnswer, { path: `/api/steps/${moduleId}`, signal })
  const { segments, language } = await client.call(TranscriptAnswer, { path: `/api/transcript/${moduleId}`, signal })
  const { title, totalDuration } = module
  return { title, totalDuration, language, segments, steps: steps.map(({ id: _id, ...step }) => step), transcript }
}
