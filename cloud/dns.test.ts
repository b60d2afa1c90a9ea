import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { findRecords } from './dns.ts'

const TYPES: Record<number, string> = { 1: 'A', 2: 'NS', 5: 'CNAME', 28: 'AAAA' }
const HEAD_BYTES = 12
const NO_SUCH_NAME = 3
const REFUSED = 5

const wire = (name: string) =>
  Buffer.concat([...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.of(0)])

function readQuestion(message: Buffer) {
  const labels: string[] = []
  let at = HEAD_BYTES
  for (; message[at] !== 0; at += 1 + (message[at] ?? 0))
    labels.push(message.toString('latin1', at + 1, at + 1 + (message[at] ?? 0)))
  const type = message.readUInt16BE(at + 1)
  return { name: labels.join('.'), type, bytes: message.subarray(HEAD_BYTES, at + 5) }
}

function dataOf(type: string, value: string): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number))
  if (type === 'AAAA') return Buffer.from(value.replaceAll(':', ''), 'hex')
  return wire(value)
}

const opened: ReturnType<typeof createSocket>[] = []
afterEach(() => {
  for (const socket of opened.splice(0)) socket.close()
})

/** A name server on this machine. @param zone records by name and type; an empty one: the name exists without records */
async function serveDns(zone: Record<string, string>, refuses = '') {
  const asked: string[] = []
  const socket = createSocket('udp4')
  opened.push(socket)
  socket.on('message', (message, { port, address }) => {
    const { name, type, bytes } = readQuestion(message)
    const kind = TYPES[type] ?? ''
    asked.push(`${name} ${kind}`)
    const owner = Object.keys(zone).some((key) => key.startsWith(`${name} `)) ? name : name.replace(/^[^.]+/, '*')
    const value = zone[`${owner} ${kind}`]
    const isThere = Object.keys(zone).some((key) => key.startsWith(`${owner} `))
    const data = value ? dataOf(kind, value) : Buffer.alloc(0)
    const code = name === refuses ? REFUSED : isThere ? 0 : NO_SUCH_NAME
    const head = Buffer.from([0, 0, 0x84, code, 0, 1, 0, value ? 1 : 0, 0, 0, 0, 0])
    message.copy(head, 0, 0, 2)
    const record = Buffer.from([0xc0, HEAD_BYTES, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length])
    socket.send(Buffer.concat([head, bytes, ...(value ? [record, data] : [])]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  resolver.setServers([`127.0.0.1:${port}`])
  return { asked, port, resolver }
}

const NAME_SERVER = { 'acme.com NS': 'ns.acme.com', 'ns.acme.com A': '127.0.0.1' }

/** @param zone what the name server of acme.com knows @param remembered what the resolver of this machine does */
async function find(host: string, zone: Record<string, string>, remembered: Record<string, string> = NAME_SERVER) {
  const [own, system] = [await serveDns(zone, 'refused.acme.com'), await serveDns(remembered)]
  const records = await findRecords(host, { system: system.resolver, port: own.port })
  return { records, askedSystem: system.asked }
}

describe('findRecords', () => {
  it.each([
    ['A', '192.0.2.7', '192.0.2.7'],
    ['AAAA', '2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['CNAME', 'shop.example.net', 'shop.example.net'],
  ])('finds a record of type %s at the name servers of the zone', async (type, value, shown) => {
    const { records } = await find('adapt.acme.com', { [`adapt.acme.com ${type}`]: value })
    expect(records).toEqual([`${type} ${shown}`])
  })

  it('lets no resolver remember that a host does not exist', async () => {
    const { records, askedSystem } = await find('adapt.team.acme.com', {})
    expect(records).toEqual([])
    expect(askedSystem).toEqual(['team.acme.com NS', 'acme.com NS', 'ns.acme.com A'])
  })

  it('finds the records of a host at which a zone begins', async () => {
    const above = { 'com NS': 'ns.com', 'ns.com A': '127.0.0.1', 'acme.com A': '192.0.2.7' }
    const { records } = await find('acme.com', { 'acme.com NS': 'ns.acme.com' }, above)
    expect(records).toEqual(['A 192.0.2.7'])
  })

  it('leaves out what a wildcard of the domain answers for every name', async () => {
    const wildcard = { '*.acme.com A': '192.0.2.1' }
    expect((await find('adapt.acme.com', wildcard)).records).toEqual([])
    const { records } = await find('adapt.acme.com', { ...wildcard, 'adapt.acme.com A': '192.0.2.7' })
    expect(records).toEqual(['A 192.0.2.7'])
  })

  it('fails where no name server answers', async () => {
    await expect(find('refused.acme.com', {})).rejects.toThrow('EREFUSED')
    await expect(find('adapt.acme.com', {}, {})).rejects.toThrow('no name server of adapt.acme.com was found')
  })
})
