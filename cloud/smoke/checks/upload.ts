import { readFileSync } from 'node:fs'
import { UPLOAD_PART_BYTES } from '#contract/limits.ts'
import { CompleteAnswer, PresignAnswer, UrlsAnswer } from '#contract/upload.ts'
import {
  type Check,
  call,
  expectOk,
  LeftOut,
  poll,
  read,
  readRun,
  requirePerson,
  requireUpload,
  seconds,
  type Visit,
  waitFor,
} from '../visit.ts'

/** Fifteen seconds of narration. */
export const VIDEO = 'local/media/fixtures/tiny.mp4'
const VIDEO_TYPE = 'video/mp4'
const PRESIGN = '/api/presigned-upload/presigned-url'
/** Eight megabytes over a line of one megabit a second. */
const PUT_WITHIN_MS = 90_000
/** An event comes within seconds. */
const EVENT_WITHIN_MS = 15_000
/** The sweep comes each minute, and looks at what has arrived. */
const SWEPT_WITHIN_MS = 130_000
const QUEUE_WITHIN_MS = 60_000
const READY_WITHIN_MS = 300_000

/** A video that an address was asked for. */
interface SentVideo extends Pick<PresignAnswer, 'moduleId' | 'key' | 'uploadUrl'> {
  stored: Response
}

/** Sends bytes as pages do; with the condition only where nothing lies there yet. */
function put(visit: Visit, url: string, body: Uint8Array<ArrayBuffer>, isOnce = true): Promise<Response> {
  const condition = isOnce ? { 'if-none-match': '*' } : undefined
  const headers = { origin: visit.origin, 'content-type': VIDEO_TYPE, ...condition }
  return fetch(url, { method: 'PUT', headers, body, signal: AbortSignal.timeout(PUT_WITHIN_MS) })
}

/** Has a place made for the video and sends it there, without `complete`. */
export async function sendVideo(visit: Visit, prepare: (uploadUrl: string) => Promise<void> = async () => {}) {
  requirePerson(visit)
  const video = readFileSync(VIDEO)
  const json = { filename: 'smoke.mp4', contentType: VIDEO_TYPE, sizeBytes: video.byteLength }
  const { uploadUrl, moduleId, key } = await read(PresignAnswer, await call(visit, PRESIGN, { json }))
  await prepare(uploadUrl)
  const stored = await expectOk(await put(visit, uploadUrl, video))
  return { uploadUrl, moduleId, key, stored } satisfies SentVideo
}

/** Uploads a video as a browser does: where the bucket is another origin, after a preflight. */
async function uploadVideo(visit: Visit): Promise<string> {
  const isOther = (url: string) => new URL(url).origin !== visit.origin
  const { uploadUrl, moduleId, key, stored } = await sendVideo(visit, async (url) => {
    const stamp = new URL(url).searchParams.get('X-Amz-Date') ?? ''
    const theirMs = Date.parse(stamp.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
    visit.workerOffMs = Math.abs(theirMs - Date.now())
    if (isOther(url)) await checkPreflight(visit, url)
  })
  Object.assign(visit, { moduleId, key })
  const exposed = stored.headers.get('access-control-expose-headers') ?? ''
  if (isOther(uploadUrl) && !/\betag\b/i.test(exposed))
    throw new Error('the bucket does not show the ETag, which parts need')
  const { status } = await put(visit, uploadUrl, readFileSync(VIDEO))
  if (status !== 412) throw new Error(`a second PUT with if-none-match was answered ${status} instead of 412`)
  return `sent ${isOther(uploadUrl) ? 'after a preflight' : 'to the same origin'}; a second PUT was refused`
}

async function checkPreflight({ origin }: Visit, url: string): Promise<void> {
  const wanted = {
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'content-type,if-none-match',
  }
  const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin, ...wanted } })
  const allowed = preflight.headers.get('access-control-allow-origin')
  if (!preflight.ok || allowed !== origin)
    throw new Error(`the preflight of ${origin} was answered ${preflight.status}, for ${allowed ?? 'no origin'}`)
}

/** Of one upload without `complete`: how long it took until it was received. */
async function measureEvent(visit: Visit, withinMs: number): Promise<number | null> {
  const { moduleId } = await sendVideo(visit)
  const startMs = Date.now()
  return waitFor(withinMs, async () => ((await readRun(visit, moduleId)) === null ? null : Date.now() - startMs))
}

export const event: Check = {
  name: 'Upload, event',
  advice:
    'A tab that is closed after its last byte waits for the sweep, up to a minute. Run cloud:setup, which has the bucket send its events to adapt-uploads, and look at the consumer of that queue.',
  run: async (visit) => {
    // Even if the sweep received the first one, its next run is a minute away when the second has arrived.
    const firstMs = await measureEvent(visit, SWEPT_WITHIN_MS)
    if (firstMs === null) throw new Error(`neither an event nor the sweep came within ${seconds(SWEPT_WITHIN_MS)}`)
    const secondMs = await measureEvent(visit, EVENT_WITHIN_MS)
    if (secondMs !== null) return `received by an event after ${seconds(secondMs)}, without complete`
    const found = `only the sweep received it, after ${seconds(firstMs)}`
    throw visit.isHere ? new LeftOut(`${found}: the bucket of this machine sends no events`) : new Error(found)
  },
}

/** The video, and a box that players pass over behind it, so that there are two parts. */
function makeLargeVideo(): Uint8Array<ArrayBuffer> {
  const video = readFileSync(VIDEO)
  const box = new Uint8Array(UPLOAD_PART_BYTES)
  new DataView(box.buffer).setUint32(0, box.byteLength)
  box.set(new TextEncoder().encode('free'), 4)
  return Uint8Array.from(Buffer.concat([video, box]))
}

export const inParts: Check = {
  name: 'Upload in parts',
  advice:
    'Videos of more than 16 MB are sent in parts. Run cloud:setup, which lets pages read the ETag; a PUT that was let through after `complete` means that a video can be replaced while its address is good.',
  run: async (visit) => {
    requirePerson(visit)
    const video = makeLargeVideo()
    const sizeBytes = video.byteLength
    const json = { filename: 'parts.mp4', contentType: VIDEO_TYPE, sizeBytes, multipart: true }
    const { moduleId, key, multipart: plan } = await read(PresignAnswer, await call(visit, PRESIGN, { json }))
    if (plan?.partCount !== 2) throw new Error(`${sizeBytes} bytes are to be ${plan?.partCount ?? 'no'} parts`)
    const path = `/api/upload/${moduleId}`
    const { urls } = await read(UrlsAnswer, await call(visit, `${path}/part-urls`, { json: { parts: [1, 2] } }))
    // Pages send parts without the condition, so that a bucket may refuse it.
    const refusals = new Set<number>()
    for (const { number, url } of urls) {
      const part = video.slice((number - 1) * plan.partBytes, number * plan.partBytes)
      const conditional = await put(visit, url, part)
      if (!conditional.ok) refusals.add(conditional.status)
      const stored = conditional.ok ? conditional : await expectOk(await put(visit, url, part, false))
      const arrived = { etag: stored.headers.get('etag') ?? '', sizeBytes: part.byteLength }
      await expectOk(await call(visit, `${path}/parts/${number}`, { method: 'PUT', json: arrived }))
    }
    const complete = async () =>
      read(CompleteAnswer, await call(visit, '/api/upload/complete', { json: { moduleId, key } }))
    await complete()
    const { status } = await put(visit, urls[0]?.url ?? '', video.slice(0, plan.partBytes), false)
    if (status < 400) throw new Error(`a part that came after complete was answered ${status}`)
    await complete()
    const head = await fetch(`${visit.origin}/share/${moduleId}/video`, { method: 'HEAD' })
    const served = Number((await expectOk(head)).headers.get('content-length'))
    if (served !== sizeBytes) throw new Error(`${served} bytes are served of ${sizeBytes}`)
    const taken = refusals.size === 0 ? 'with' : `without (${[...refusals].join(', ')} with)`
    return `${(sizeBytes / 1e6).toFixed(1)} MB in two parts, ${taken} if-none-match; one after complete was answered ${status}`
  },
}

export const upload: Check = {
  name: 'Upload',
  advice: 'Run cloud:setup, which sets the rules of the bucket, and put both halves of its key again.',
  run: uploadVideo,
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
