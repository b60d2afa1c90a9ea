/** Providers give each line a /64 at least (RFC 6177), so its addresses are one network. Groups of 16 bits. */
const NETWORK_GROUPS = 4
const ALL_GROUPS = 8

/**
 * Under what an address is counted: an IPv4 address by itself, an IPv6 address by its first half.
 * @param address as Cloudflare sends it (`CF-Connecting-IP`), which no client can forge there
 * @returns null without an address
 */
export function networkOf(address: string | undefined): string | null {
  if (address === undefined || address === '') return null
  if (!address.includes(':')) return address
  const [before = '', after] = address.toLowerCase().split('::')
  const head = groupsOf(before)
  const tail = groupsOf(after ?? '')
  const missing = after === undefined ? 0 : Math.max(0, ALL_GROUPS - head.length - tail.length)
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...tail]
  return groups.slice(0, NETWORK_GROUPS).map(withoutZeros).join(':')
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':')
}

function withoutZeros(group: string): string {
  return group.replace(/^0+(?=.)/, '')
}
