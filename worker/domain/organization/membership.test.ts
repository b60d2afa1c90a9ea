import { describe, expect, it } from 'vitest'
import { type Asked, has, listOwnerOf, managesModules } from './membership.ts'

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
  ])('answers %o with %s, and without an active organization with false', { tags: 'spec-6.6' }, (asked, answer) => {
    expect(has(member, asked)).toBe(answer)
    expect(has(alone, asked)).toBe(false)
  })

  it.each([{}, { role: '' }, { permission: '' }])(
    'refuses %o, which asks for nothing',
    { tags: 'spec-5.5' },
    (asked) => {
      expect(() => has(member, asked as Asked)).toThrow('A check needs a role or a permission.')
    },
  )
})

describe('managesModules', () => {
  it.each([
    ['the role admin, whatever it is permitted', { orgRole: 'org:admin', orgPermissions: [] }, true],
    ['another role with the permission', { orgRole: 'org:trainer', orgPermissions: ['org:modules:manage'] }, true],
    [
      'a role with another permission',
      { orgRole: 'org:member', orgPermissions: ['org:sys_memberships:manage'] },
      false,
    ],
    ['no role', { orgRole: null, orgPermissions: [] }, false],
  ])('answers %s with %s, and without an active organization with false', { tags: 'spec-6.6' }, (_, change, answer) => {
    expect(managesModules({ ...member, ...change })).toBe(answer)
    expect(managesModules({ ...alone, ...change })).toBe(false)
  })
})

describe('listOwnerOf', () => {
  it('is the active organization, and the person without one', () => {
    expect(listOwnerOf(member)).toEqual({ column: 'org_id', id: 'org_1' })
    expect(listOwnerOf(alone)).toEqual({ column: 'user_id', id: 'u' })
  })
})
