/** Whether `If-None-Match` names this tag. Weak and strong count alike (RFC 9110 §13.1.2); compression makes them weak. */
export function matchesEtag(header: string | null, etag: string | null): boolean {
  if (header === null || etag === null) return false
  const wanted = etag.replace(/^W\//, '')
  return header.split(',').some((tag) => ['*', wanted].includes(tag.trim().replace(/^W\//, '')))
}

/** A tag that differs when the text does. */
export async function etagOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `"${[...new Uint8Array(digest, 0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}"`
}
