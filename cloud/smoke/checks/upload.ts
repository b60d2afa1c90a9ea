import { readFileSync } from 'node:fs'
import { CompleteAnswer, PresignAnswer } from '#contract/upload.ts'
import { type Check, call, expectOk, poll, read, requirePerson, requireUpload, seconds, type Visit } from '../visit.ts'

/** Fifteen seconds of narration. */
export const VIDEO = 'local/media/fixtures/tiny.mp4'
const VIDEO_TYPE = 'video/mp4'
const QUEUE_WITHIN_MS = 60_000
const READY_WITHIN_MS = 300_000

/** Uploads a video as a browser does: where the bucket is another origin, after a preflight. */
async function sendVideo(visit: Visit): Promise<string> {
  requirePerson(visit)
  const video = readFileSync(VIDEO)
  const json = { filename: 'smoke.mp4', contentType: VIDEO_TYPE, sizeBytes: video.byteLength }
  const answer = await call(visit, '/api/presigned-upload/presigned-url', { json })
  const ownMs = Date.now()
  const { uploadUrl, moduleId, key } = await read(PresignAnswer, answer)
  const address = new URL(uploadUrl)
  const stamp = address.searchParams.get('X-Amz-Date') ?? ''
  const theirMs = Date.parse(stamp.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
  Object.assign(visit, { moduleId, workerOffMs: Math.abs(theirMs - ownMs) })
  const headers = { origin: visit.origin, 'content-type': VIDEO_TYPE }
  const isOther = address.origin !== visit.origin
  if (isOther) {
    const wanted = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' }
    const preflight = await fetch(uploadUrl, { method: 'OPTIONS', headers: { origin: visit.origin, ...wanted } })
    const allowed = preflight.headers.get('access-control-allow-origin')
    if (!preflight.ok || allowed !== visit.origin)
      throw new Error(
        `the preflight of ${visit.origin} was answered ${preflight.status}, for ${allowed ?? 'no origin'}`,
      )
  }
  const put = await fetch(uploadUrl, { method: 'PUT', headers, body: video })
  await expectOk(put)
  const exposed = put.headers.get('access-control-expose-headers') ?? ''
  if (isOther && !/\betag\b/i.test(exposed)) throw new Error('the bucket does not show the ETag, which parts need')
  visit.key = key
  return `${video.byteLength} bytes ${isOther ? 'after a preflight' : 'to the same origin'}`
}

export const upload: Check = {
  name: 'Upload',
  advice: 'Run cloud:setup, which sets the rules of the bucket, and put both halves of its key again.',
  run: sendVideo,
}

export const queue: Check = {
  name: 'Queue',
  advice: 'Run cloud:setup, which makes the queues, and look at their consumers in the dashboard.',
  run: async (visit) => {
    const { moduleId, key } = requireUpload(visit)
    const startMs = Date.now()
    await read(CompleteAnswer, await call(visit, '/api/upload/complete', { json: { moduleId, key } }))
    // At ten percent a doorbell has been sent, and no consumer has come.
    await poll(visit, QUEUE_WITHIN_MS, ({ status, progress }) => status !== 'PROCESSING' || progress > 10)
    return `a consumer came after ${seconds(Date.now() - startMs)}`
  },
}

export const steps: Check = {
  name: 'Steps',
  advice: 'Open /debug: the Timeline of the module says which task fails; `npx wrangler tail` shows why.',
  run: async (visit) => {
    requireUpload(visit)
    const startMs = Date.now()
    const module = await poll(visit, READY_WITHIN_MS, ({ status }) => status !== 'PROCESSING')
    if (module.status !== 'READY') throw new Error(`${module.status}: ${module.lastError ?? module.message}`)
    return `${module.steps.length} steps of a new video after ${seconds(Date.now() - startMs)}`
  },
}
