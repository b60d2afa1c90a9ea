interface Freshness {
  freshMs: number
  staleMs: number
}

/** How long the edge may keep an answer; null for not at all. Only whole answers can be kept. */
export function parseFreshness(answer: Response): Freshness | null {
  const control = answer.headers.get('cloudflare-cdn-cache-control') ?? answer.headers.get('cache-control') ?? ''
  if (answer.status !== 200 || /\b(no-store|no-cache|private)\b/.test(control)) return null
  const freshS = readSeconds(control, 'max-age')
  return freshS === 0
    ? null
    : { freshMs: freshS * 1000, staleMs: readSeconds(control, 'stale-while-revalidate') * 1000 }
}

function readSeconds(control: string, name: string): number {
  return Number(new RegExp(`\\b${name}=(\\d+)`).exec(control)?.[1] ?? 0)
}

/** A kept answer to this request: whole, or the range that it asks for. */
export function sliceAnswer(
  request: Request,
  { headers: kept, body }: { headers: Headers; body: Uint8Array<ArrayBuffer> },
  status: 'HIT' | 'MISS' | 'STALE',
): Response {
  const headers = new Headers(kept)
  headers.set('cf-cache-status', status)
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '') ?? []
  if (first === undefined || last === undefined) return new Response(body, { headers })
  const part = body.subarray(Number(first), Number(last) + 1)
  headers.set('content-range', `bytes ${first}-${Number(first) + part.byteLength - 1}/${body.byteLength}`)
  headers.set('content-length', String(part.byteLength))
  return new Response(part, { status: 206, headers })
}
