import { describe, expect, it } from 'vitest'
import { readTicket, writeTicket } from './ticket.ts'

const SECRET = 'a secret'
const ticket = { kind: 'live', moduleId: 'm1', role: 'viewer', userId: null, orgId: null, expiresAtMs: 1_000 } as const
const expected = { kinds: ['live'], moduleId: 'm1', nowMs: 999 } as const

describe('readTicket', () => {
  it('accepts its own ticket until it expires', async () => {
    const token = await writeTicket(SECRET, ticket)
    expect(await readTicket(SECRET, token, expected)).toEqual(ticket)
    expect(await readTicket(SECRET, token, { ...expected, nowMs: 1_000 })).toBeNull()
  })

  it('refuses a ticket for another module, another purpose or another secret', { tags: 'threat-10' }, async () => {
    const token = await writeTicket(SECRET, ticket)
    expect(await readTicket(SECRET, token, { ...expected, moduleId: 'm2' })).toBeNull()
    expect(await readTicket(SECRET, token, { ...expected, kinds: ['video', 'poster', 'images'] })).toBeNull()
    expect(await readTicket('another', token, expected)).toBeNull()
  })

  it('accepts tickets of the secret before while that one is being changed', { tags: 'threat-10' }, async () => {
    const before = await writeTicket(SECRET, ticket)
    const during = await writeTicket(`new,${SECRET}`, ticket)
    expect(await readTicket(`new,${SECRET}`, before, expected)).toEqual(ticket)
    expect(await readTicket('new', during, expected)).toEqual(ticket)
    expect(await readTicket('new', before, expected)).toBeNull()
  })

  it('never takes an empty secret for one', async () => {
    const token = await writeTicket(SECRET, ticket)
    expect(await readTicket(`,${SECRET},`, token, expected)).toEqual(ticket)
    expect(await readTicket('', token, expected)).toBeNull()
    await expect(writeTicket('', ticket)).rejects.toThrow()
  })

  it.each(['', '.', 'a.b', 'a.b.c', '!!!.???', 'e30.e30'])('refuses %j', async (token) => {
    expect(await readTicket(SECRET, token, expected)).toBeNull()
  })

  it('refuses a payload that was changed after signing', { tags: 'threat-10' }, async () => {
    const [, signature] = (await writeTicket(SECRET, ticket)).split('.')
    const forged = btoa(JSON.stringify({ ...ticket, moduleId: 'm2' })).replaceAll('=', '')
    expect(await readTicket(SECRET, `${forged}.${signature}`, { ...expected, moduleId: 'm2' })).toBeNull()
  })
})
