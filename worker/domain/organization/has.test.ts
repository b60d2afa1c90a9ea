import { describe, expect, it } from 'vitest'
import { type Asked, has } from './has.ts'

const member = { userId: 'u', orgId: 'org_1', orgRole: 'org:trainer', orgPermissions: ['org:videos:read'] }
const alone = { ...member, orgId: null }

describe('has', () => {
  it.each<[Asked, boolean]>([
    [{ role: 'org:trainer' }, true],
    [{ role: 'org:admin' }, false],
    [{ role: 'trainer' }, false],
    [{ permission: 'org:videos:read' }, true],
    [{ permission: 'org:videos:manage' }, false],
    [{ permission: 'org:trainer' }, false],
  ])('answers %o with %s, and without an active organization with false [spec 6.6]', (asked, answer) => {
    expect(has(member, asked)).toBe(answer)
    expect(has(alone, asked)).toBe(false)
  })

  it.each([{}, { role: '' }, { permission: '' }])('refuses %o, which asks for nothing [spec 5.5]', (asked) => {
    expect(() => has(member, asked as Asked)).toThrow('A check needs a role or a permission.')
  })
})
