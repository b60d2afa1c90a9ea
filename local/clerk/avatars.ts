import { Hono } from 'hono'

const MAX_LETTERS = 2

/** Where the drawing of somebody's initials is served. A relative address works from every origin the app is opened at. */
export function avatarUrl(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = words.slice(0, MAX_LETTERS).map((word) => word.charAt(0).toUpperCase())
  return `/__clerk/avatars/${encodeURIComponent(letters.join('') || 'A')}.svg`
}

export const avatarRoutes = new Hono().get('/:file{.+\\.svg}', (c) => {
  const letters =
    c.req
      .param('file')
      .replace(/\.svg$/, '')
      .match(/[\p{L}\p{N}]/gu) ?? []
  return c.body(drawAvatar(letters.slice(0, MAX_LETTERS).join('')), 200, {
    'content-type': 'image/svg+xml; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'public, max-age=86400',
  })
})

function drawAvatar(initials: string): string {
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#334155"/>' +
    '<text x="32" y="32" dy="0.35em" text-anchor="middle" font-family="sans-serif" font-size="26" fill="#fff">' +
    `${initials}</text></svg>`
  )
}
