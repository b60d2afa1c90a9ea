/** Clerk's name for the address that a person wanted before signing in. Its forms keep it from step to step. */
const WANTED_PARAM = 'redirect_url'
/** All of Clerk's parameters that hold an address end like this. */
const ADDRESS_PARAM = /_url$/
/** Where a person goes who wanted no other page. */
const DEFAULT_PATH = '/dashboard'
/** Pages of no use to a person who is signed in. */
const AUTH_PAGE = /^\/(?:sign-in|sign-up|sso-callback)(?:[/?#]|$)/

/** @returns the path with query and hash if the address is on this origin, otherwise null */
export function readOwnPath(address: string): string | null {
  const url = parseAsClerkDoes(address)
  if (url === null || url.origin !== window.location.origin) return null
  // A router or a browser that is given such a path alone takes it for another host.
  if (url.pathname.startsWith('//')) return null
  return `${url.pathname}${url.search}${url.hash}`
}

/** On an https page `https:evil.test` is a path to browsers, but another host to Clerk. */
function parseAsClerkDoes(address: string): URL | null {
  if (URL.canParse(address)) return new URL(address)
  const { origin } = window.location
  return URL.canParse(address, origin) ? new URL(address, origin) : null
}

/** @returns the path in the query of an auth page, or null */
export function findWantedPath(search: string): string | null {
  const path = readOwnPath(new URLSearchParams(search).get(WANTED_PARAM) ?? '')
  return path === null || path === '/' || AUTH_PAGE.test(path) ? null : path
}

/** @returns the query without addresses that lead away from this origin, or back to the auth pages */
export function dropForeignAddresses(search: string): string {
  const params = new URLSearchParams(search)
  const orphaned = [...params].filter(([name, address]) => ADDRESS_PARAM.test(name) && !isFit(address))
  if (orphaned.length === 0) return search
  for (const [name] of orphaned) params.delete(name)
  return params.size === 0 ? '' : `?${params}`
}

function isFit(address: string): boolean {
  const path = readOwnPath(address)
  return path !== null && !AUTH_PAGE.test(path)
}

export function isAuthPath(path: string): boolean {
  return AUTH_PAGE.test(path)
}

/** The path of an auth page that leads back to where a person wanted to go. */
export function authPathTo(page: '/sign-in' | '/sign-up', wantedPath: string | null): string {
  if (wantedPath === null || wantedPath === '/' || wantedPath === DEFAULT_PATH) return page
  return `${page}?${new URLSearchParams({ [WANTED_PARAM]: wantedPath })}`
}
