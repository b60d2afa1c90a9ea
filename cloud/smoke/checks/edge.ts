import { type Check, call, expectOk, requirePerson, requireUpload } from '../visit.ts'

const SHARE_ASKS = 5
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
