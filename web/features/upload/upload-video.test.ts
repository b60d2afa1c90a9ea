import { describe, expect, it } from 'vitest'
import { ApiError } from '#web/lib/api-error.ts'
import { fakeApi } from '#web/testing/render-app.tsx'
import { makePauseSwitch } from './pause-switch.ts'
import type { PutFile } from './put-file.ts'
import { hasty } from './testing/fake-uploads.ts'
import { type UploadRequest, uploadVideo } from './upload-video.ts'

const PRESIGN = 'POST /api/presigned-upload/presigned-url'
const CAPTIONS = 'PUT /api/captions/m1'
const COMPLETE = 'POST /api/upload/complete'
const PRESIGNED = { success: true, uploadUrl: 'https://storage.example/put', key: 'k1', moduleId: 'm1' }
const COMPLETED = { success: true, moduleId: 'm1', trainingUrl: '/training/m1' }

const video = new File(['video'], 'talk.mp4', { type: 'video/mp4' })
const captions = new File(['WEBVTT'], 'talk.vtt')

function fail(status: number, code = 'x'): () => never {
  return () => {
    throw new ApiError({ status, code, message: 'Because.' })
  }
}

function upload(
  change: Partial<UploadRequest> & {
    status?: number
    statuses?: number[]
    answers?: Record<string, () => unknown>
  } = {},
) {
  const { status = 200, statuses = [], answers = {}, ...request } = change
  const events: string[] = []
  const { callApi, calls } = fakeApi({
    [PRESIGN]: () => PRESIGNED,
    [CAPTIONS]: () => ({ success: true, cues: 3 }),
    [COMPLETE]: () => COMPLETED,
    ...answers,
  })
  const putFile: PutFile = async (put) => {
    calls.push(`PUT ${put.url} ${put.contentType}`)
    put.onProgress(3)
    return { status: statuses.shift() ?? status, etag: null }
  }
  const result = uploadVideo(
    {
      video,
      captions: null,
      durationMs: null,
      pause: makePauseSwitch(),
      onStarted: ({ moduleId }) => void events.push(`started ${moduleId}`),
      onSent: (sentBytes) => events.push(`sent ${sentBytes}`),
      onStored: () => events.push('stored'),
      signal: new AbortController().signal,
      ...request,
    },
    { callApi, putFile, sendParts: async () => {}, readFingerprint: async () => '', timing: hasty },
  )
  return { result, calls, events }
}

describe('uploadVideo', () => {
  it('asks for an address, sends the bytes there and completes', { tags: 'spec-4.10' }, async () => {
    const { result, calls, events } = upload()
    expect(await result).toBe('m1')
    expect(calls).toEqual([PRESIGN, 'PUT https://storage.example/put video/mp4', COMPLETE])
    expect(events).toEqual(['started m1', 'sent 3', 'stored'])
  })

  it('sends captions before the bytes, so that a bad file is reported at once', async () => {
    const { result, calls } = upload({ captions, answers: { [CAPTIONS]: fail(422) } })
    await expect(result).rejects.toMatchObject({ message: 'captions failed: 422', detail: 'Because.' })
    expect(calls).toEqual([PRESIGN, CAPTIONS])
  })

  it('refuses a caption file over 2 MB without a call', async () => {
    const large = new File(['x'.repeat(2 * 1024 * 1024 + 1)], 'talk.vtt')
    const { result, calls } = upload({ captions: large })
    await expect(result).rejects.toMatchObject({
      message: 'captions failed',
      detail: expect.stringMatching(/^talk\.vtt is larger than 2 MB/),
    })
    expect(calls).toEqual([])
  })

  it('refuses what is not a video without a call', async () => {
    const { result, calls } = upload({ video: new File(['x'], 'notes.txt', { type: 'text/plain' }) })
    await expect(result).rejects.toThrow('Only video files are allowed')
    expect(calls).toEqual([])
  })

  it('names the stage and the status of a refused address', { tags: 'spec-8.6' }, async () => {
    const { result } = upload({ answers: { [PRESIGN]: fail(413) } })
    await expect(result).rejects.toMatchObject({ message: 'presign failed: 413', detail: 'Because.' })
  })

  it('says which daily limit is reached, and when it resets in local time', async () => {
    const opensAt = new Date(2026, 10, 22, 1, 0).toISOString()
    const quota = { kind: 'modules', of: 'organization', limit: 1_000, opensAt }
    const problem = { status: 429, code: 'quota_reached', detail: 'Reached until 00:00 UTC.' }
    const body = { type: 't', title: 't', requestId: 'r', success: false, error: problem.detail, ...problem, quota }
    const reached = () => {
      throw new ApiError({ status: 429, code: 'quota_reached', message: problem.detail, body })
    }
    await expect(upload({ answers: { [PRESIGN]: reached } }).result).rejects.toMatchObject({
      message: 'presign failed: 429',
      // Between the hour and AM stands one kind of space or another.
      detail: expect.stringMatching(
        /^Your organization has reached its limit of 1,000 videos per day\. It opens again on Sunday at 1:00\sAM\.$/,
      ),
    })
  })

  it('names the cause where no answer came', async () => {
    const { result } = upload({ answers: { [PRESIGN]: fail(0, 'timeout') } })
    await expect(result).rejects.toThrow('presign failed: timeout')
  })

  it('says when the address lacks a field', { tags: ['spec-5.2', 'spec-8.7'] }, async () => {
    const { result } = upload({ answers: { [PRESIGN]: fail(200, 'bad_answer') } })
    await expect(result).rejects.toThrow('presign missing fields')
  })

  it('names the status of the storage and does not complete', { tags: ['fault-40', 'spec-8.8'] }, async () => {
    const { result, calls } = upload({ status: 403 })
    await expect(result).rejects.toMatchObject({ message: 'storage PUT failed: 403' })
    expect(calls).not.toContain(COMPLETE)
  })

  it('sends a small file again when the line breaks', async () => {
    const statuses = [0, 503, 200]
    const { result, calls } = upload({ statuses })
    expect(await result).toBe('m1')
    expect(calls.filter((call) => call.startsWith('PUT'))).toHaveLength(3)
  })

  it('takes a file for arrived that lies there after an answer was lost', { tags: 'fault-10' }, async () => {
    const { result, calls } = upload({ statuses: [0, 412] })
    expect(await result).toBe('m1')
    expect(calls).toContain(COMPLETE)
  })

  it('does not take a file for arrived that lay there before', async () => {
    const { result } = upload({ statuses: [412] })
    await expect(result).rejects.toThrow('storage PUT failed: 412')
  })

  it('gives up on a line that stays broken', async () => {
    const { result } = upload({ status: 0 })
    await expect(result).rejects.toThrow('storage PUT failed: network')
  })

  it('completes again when the answer was lost, and loses nothing', { tags: 'fault-10' }, async () => {
    const answers = [fail(0, 'timeout'), fail(503), () => COMPLETED]
    const { result, calls } = upload({ answers: { [COMPLETE]: () => answers.shift()?.() } })
    expect(await result).toBe('m1')
    expect(calls.filter((call) => call === COMPLETE)).toHaveLength(3)
  })

  it('gives up completing after three attempts', { tags: 'spec-8.9' }, async () => {
    const { result, calls } = upload({ answers: { [COMPLETE]: fail(503) } })
    await expect(result).rejects.toThrow('complete failed: 503')
    expect(calls.filter((call) => call === COMPLETE)).toHaveLength(3)
  })

  it('does not complete again what the server has refused', async () => {
    const { result, calls } = upload({ answers: { [COMPLETE]: fail(422) } })
    await expect(result).rejects.toThrow('complete failed: 422')
    expect(calls.filter((call) => call === COMPLETE)).toHaveLength(1)
  })
})
