// Behaviour: limits that several schemas share are the same everywhere.
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { AUDIO_CHUNKS_MAX, VIDEO_MAX_S } from '../limits.ts'
import { SaveSteps } from '../step.ts'
import { SpokenQuestion, TutorQuestion } from '../tutor.ts'
import { AudioArrived, AudioUrlsRequest } from '../upload.ts'

/** Bodies that name a place in a video. */
const BODIES: [string, z.ZodType, (place: number) => unknown][] = [
  ['a step', SaveSteps, (end) => ({ steps: [{ title: 'Lift', start: 0, end }] })],
  ['a question', TutorQuestion, (videoTime) => ({ moduleId: 'm', userMessage: 'Why?', videoTime })],
  ['a spoken question', SpokenQuestion, (videoTime) => ({ moduleId: 'm', question: 'Why?', videoTime })],
  ['audio', AudioArrived, (place) => ({ durationMs: place * 1_000, chunks: [], chunkCount: null })],
]

it.each(BODIES)('takes no place in a video for %s that lies beyond a day', (_, schema, bodyAt) => {
  expect(schema.safeParse(bodyAt(VIDEO_MAX_S)).success).toBe(true)
  expect(schema.safeParse(bodyAt(VIDEO_MAX_S + 1)).success).toBe(false)
  expect(schema.safeParse(bodyAt(1e305)).success).toBe(false)
})

it('signs no address for more chunks of audio than a day has', () => {
  const requestOf = (chunk: number) => ({ chunks: [{ chunk, sizeBytes: 1_000 }], contentType: 'audio/mp4' })
  expect(AudioUrlsRequest.safeParse(requestOf(AUDIO_CHUNKS_MAX - 1)).success).toBe(true)
  expect(AudioUrlsRequest.safeParse(requestOf(AUDIO_CHUNKS_MAX)).success).toBe(false)
})
