// Behaviour: the headers that every answer of the app carries.
import { describe, expect, it } from 'vitest'
import { call } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'

const PATHS = [
  '/api/health',
  '/api/nothing',
  '/api/modules',
  '/assets/none.js',
  '/share/none',
  '/embed/none',
  '/media/none/video',
]

describe('every answer', () => {
  it.each(PATHS)('every answer of %s says what browsers may do with it', { tags: 'threat-16' }, async (path) => {
    const { headers } = await call(path)
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=63072000/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|strict-origin-when-cross-origin)$/)
    expect(headers.get('permissions-policy')).toContain('camera=()')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('may be framed nowhere, but an embedded page may', { tags: 'threat-7' }, async () => {
    const { id } = await seedModule({ status: 'READY' })
    expect((await call(`/share/${id}`)).headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect((await call(`/embed/${id}`)).headers.get('content-security-policy')).toContain('frame-ancestors *')
    expect((await call('/api/health')).headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  it('is open to the origins of the app, by name', { tags: 'threat-7' }, async () => {
    const origin = 'http://localhost:8787'
    const asked = { 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'authorization' }
    const preflight = await call('/api/modules/none', { method: 'OPTIONS', headers: { origin, ...asked } })
    const actual = await call('/api/modules', { headers: { origin } })
    for (const { headers } of [preflight, actual]) {
      expect(headers.get('access-control-allow-origin')).toBe(origin)
      expect(headers.get('vary')).toMatch(/\borigin\b/i)
    }
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization,content-type')
  })

  it.each(['https://elsewhere.test', 'http://localhost:8787.elsewhere.test', 'http://localhost', 'null'])(
    'every answer of a preflight opens nothing to %s',
    async (origin) => {
      for (const path of ['/api/modules', '/api/presigned-upload/presigned-url', '/share/none', '/media/none/video']) {
        const headers = { origin, 'access-control-request-method': 'POST' }
        const answer = await call(path, { method: 'OPTIONS', headers })
        expect(answer.headers.get('access-control-allow-origin'), path).toBeNull()
      }
    },
  )

  it('is open to no other origin', { tags: 'threat-7' }, async () => {
    for (const path of PATHS) {
      const { headers } = await call(path, { headers: { origin: 'https://elsewhere.test' } })
      expect(headers.get('access-control-allow-origin'), path).toBeNull()
    }
  })
})
