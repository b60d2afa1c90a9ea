import { z } from 'zod'

/** Where Python packages come from, unless `PIP_INDEX_URL` names another index. */
const PYPI = 'https://pypi.org/simple'

/** A file of a package, as an index lists it. */
export interface IndexFile {
  name: string
  url: string
  /** Null where the index says none. */
  sha256: string | null
  sizeBytes: number | null
}

/** The index that pip would use. */
export function indexUrlOf(env: Record<string, string | undefined>): string {
  return (env.PIP_INDEX_URL || PYPI).replace(/\/+$/, '')
}

/** `fetch` takes no address with a name and a password in it, which indexes of companies often have. */
export function splitCredentials(address: string): { url: string; headers: Record<string, string> } {
  const url = new URL(address)
  if (url.username === '' && url.password === '') return { url: address, headers: {} }
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = ''
  url.password = ''
  return { url: url.href, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
}

const JSON_TYPE = 'application/vnd.pypi.simple.v1+json'

const Page = z.object({
  files: z.array(
    z.object({
      filename: z.string(),
      url: z.string(),
      hashes: z.record(z.string(), z.string()),
      size: z.number().optional(),
    }),
  ),
})

const ANCHOR = /<a\s[^>]*?href\s*=\s*["']([^"']+)["'][^>]*>([^<]+)<\/a>/gi

/** Files on a page of the older form (PEP 503), whose links carry their hash behind a `#`. */
function parseHtml(html: string, pageUrl: string): IndexFile[] {
  return [...html.matchAll(ANCHOR)].map(([, href = '', name = '']) => {
    const url = new URL(href.replaceAll('&amp;', '&'), pageUrl)
    const sha256 = /sha256=([0-9a-f]{64})/.exec(url.hash)?.[1] ?? null
    url.hash = ''
    return { name: name.trim(), url: url.href, sha256, sizeBytes: null }
  })
}

function parseJson(body: unknown, pageUrl: string): IndexFile[] {
  return Page.parse(body).files.map(({ filename, url, hashes, size }) => ({
    name: filename,
    url: new URL(url, pageUrl).href,
    sha256: hashes['sha256'] ?? null,
    sizeBytes: size ?? null,
  }))
}

/** Lists the files of a package. @throws where the index does not answer, or not with a list */
export async function listIndexFiles(indexUrl: string, project: string, signal: AbortSignal): Promise<IndexFile[]> {
  const { url, headers } = splitCredentials(`${indexUrl}/${project}/`)
  const response = await fetch(url, { headers: { ...headers, accept: `${JSON_TYPE}, text/html;q=0.5` }, signal })
  if (!response.ok) throw new Error(`${url} answers ${response.status}`)
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return isJson ? parseJson(await response.json(), response.url) : parseHtml(await response.text(), response.url)
}
