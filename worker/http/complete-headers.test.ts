import { describe, expect, it } from 'vitest'
import { call } from '#local/testing/api.ts'
import { plantModule } from '#local/testing/modules.ts'

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
  it.each(PATHS)('of %s says what browsers may do with it', async (path) => {
    const { headers } = await call(path)
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=63072000/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|strict-origin-when-cross-origin)$/)
    expect(headers.get('permissions-policy')).toContain('camera=()')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('may be framed nowhere, but an embedded page may', async () => {
    const { id } = await plantModule({ status: 'READY' })
    expect((await call(`/share/${id}`)).headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect((await call(`/embed/${id}`)).headers.get('content-security-policy')).toContain('frame-ancestors *')
    expect((await call('/api/health')).headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  it('is open to no other origin', async () => {
    for (const path of PATHS) {
      const { headers } = await call(path, { headers: { origin: 'https://elsewhere.test' } })
      expect(headers.get('access-control-allow-origin'), path).toBeNull()
    }
  })
})
