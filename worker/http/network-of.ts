/** Providers give each line a /64 at least (RFC 6177), so its addresses are one network. Groups of 16 bits. */
const NETWORK_GROUPS = 4
/** A site has a /48 at most, which is 65,536 networks. */
const SITE_GROUPS = 3
const ALL_GROUPS = 8

/**
 * Returns the key that an address is counted by: the whole IPv4 address, or the first half of an IPv6 address.
 * @param address as Cloudflare sends it (`CF-Connecting-IP`), which no client can forge there
 * @returns null without an address
 */
export function networkOf(address: string | undefined): string | null {
  if (address === undefined || address === '') return null
  return address.includes(':') ? firstGroups(address, NETWORK_GROUPS) : address
}

/**
 * Returns the key that all networks of one site are counted by: the /48 of an IPv6 address.
 * @returns null for an IPv4 address, which has one network
 */
export function siteOf(address: string | undefined): string | null {
  return address?.includes(':') === true ? firstGroups(address, SITE_GROUPS) : null
}

function firstGroups(address: string, count: number): string {
  const [before = '', after] = address.toLowerCase().split('::')
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':'))
  const [head, tail] = [groupsOf(before), groupsOf(after ?? '')]
  const missing = after === undefined ? 0 : Math.max(0, ALL_GROUPS - head.length - tail.length)
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...tail]
  const withoutZeros = groups.slice(0, count).map((group) => group.replace(/^0+(?=.)/, ''))
  return withoutZeros.join(':')
}
