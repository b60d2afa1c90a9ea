import { type Check, call, expectOk, requirePerson, requireUpload, seconds, waitFor } from '../visit.ts'

const SHARE_ASKS = 5
/** A purge reaches all of Cloudflare within this; without one the page is gone after a minute. */
const GONE_WITHIN_MS = 10_000
/** `CAPTIONS_LIMIT` lets 30 pass in a minute; every location of Cloudflare counts by itself, and late. */
const LIMITED_CALLS = 200
const CALLS_AT_ONCE = 20

export const edge: Check = {
  name: 'Edge',
  advice:
    'See `cache` in the log lines of /share: `[cache]` and `[exports.SharePage]` of wrangler.toml have to be deployed.',
  run: async (visit) => {
    const { moduleId } = requireUpload(visit)
    const seen: string[] = []
    while (seen.length < SHARE_ASKS) {
      const answer = await fetch(`${visit.origin}/share/${moduleId}`, { headers: { accept: 'text/html' } })
      await expectOk(answer)
      seen.push(answer.headers.get('x-adapt-edge') ?? 'none')
      if (seen.length > 1 && seen.at(-1) === 'HIT') return `call ${seen.length} of a shared page: HIT`
    }
    throw new Error(`a shared page was never answered from the edge: ${seen.join(', ')}`)
  },
}

export const range: Check = {
  name: 'Range',
  advice:
    'Each range of a shared video is then a read of R2, and slow far from it. See `cache` in the log lines of /share/…/video; `[exports.SharePage]` has to be deployed.',
  run: async (visit) => {
    const { moduleId } = requireUpload(visit)
    const seen: string[] = []
    let first = ''
    while (seen.length < SHARE_ASKS) {
      const headers = { range: 'bytes=1000-1999' }
      const answer = await fetch(`${visit.origin}/share/${moduleId}/video`, { headers })
      if (answer.status !== 206) throw new Error(`a range of the video was answered ${answer.status}`)
      const bytes = Buffer.from(await answer.arrayBuffer()).toString('base64')
      if (first !== '' && bytes !== first) throw new Error('the same range had other bytes')
      first = bytes
      seen.push(answer.headers.get('x-adapt-edge') ?? 'none')
      if (seen.length > 1 && seen.at(-1) === 'HIT') return `call ${seen.length} of the same range: HIT`
    }
    throw new Error(`the same range was never answered from the edge: ${seen.join(', ')}`)
  },
}

export const unshared: Check = {
  name: 'Un-shared',
  advice:
    'People with the link still see what was taken back, for a minute at most. Look for `purge_failed` in the log: the account purges five times a minute.',
  run: async (visit) => {
    const { moduleId } = requireUpload(visit)
    const ask = async () => {
      const answer = await fetch(`${visit.origin}/share/${moduleId}`, { headers: { accept: 'text/html' } })
      await answer.text()
      return answer
    }
    const before = await ask()
    if (before.status !== 200) throw new Error(`the shared page answers ${before.status} before`)
    const share = async (shared: boolean) =>
      expectOk(await call(visit, `/api/modules/${moduleId}`, { method: 'PATCH', json: { shared } }))
    await share(false)
    const startMs = Date.now()
    try {
      const goneMs = await waitFor(GONE_WITHIN_MS, async () =>
        (await ask()).status === 404 ? Date.now() - startMs : null,
      )
      if (goneMs === null) throw new Error(`the page is still there ${seconds(GONE_WITHIN_MS)} after un-sharing`)
      return `a page that was ${before.headers.get('x-adapt-edge')} is 404 after ${seconds(goneMs)}`
    } finally {
      await share(true)
    }
  },
}

export const rateLimits: Check = {
  name: 'Rate limits',
  advice: '`[[ratelimits]]` of wrangler.toml have to be deployed; each environment has ids of its own.',
  run: async (visit) => {
    requirePerson(visit)
    const callOne = () => call(visit, '/api/captions/none', { method: 'PUT', body: 'WEBVTT', type: 'text/vtt' })
    for (let calls = CALLS_AT_ONCE; calls <= LIMITED_CALLS; calls += CALLS_AT_ONCE) {
      const answers = await Promise.all(Array.from({ length: CALLS_AT_ONCE }, callOne))
      if (answers.some(({ status }) => status === 429)) return `refused within ${calls} calls`
    }
    throw new Error(`${LIMITED_CALLS} calls of one person within a minute were all let through`)
  },
}
