import { randomBytes } from 'node:crypto'
import { Resolver } from 'node:dns/promises'

const TYPES = ['A', 'AAAA', 'CNAME'] as const
const DNS_PORT = 53
/** Of a random name, which no person has chosen. */
const SIBLING_BYTES = 8

interface DnsOptions {
  /** The resolver of this machine. */
  system?: Resolver
  /** Where name servers answer. */
  port?: number
}

/**
 * Finds the records of a host that lead somewhere, such as `A 192.0.2.1`. The zone's own name servers are asked: a
 * resolver would remember for half an hour that the host does not exist, also once the deployment has made its record.
 * Records that come from a wildcard are left out.
 * @throws when no name server answers
 */
export async function findRecords(host: string, { system = new Resolver(), port = DNS_PORT }: DnsOptions = {}) {
  const zone = new Resolver()
  const servers = await findNameServers(host, system)
  zone.setServers(servers.map((address) => `${address}:${port}`))
  const records = await listRecords(host, zone, system)
  if (records.length === 0) return []
  // A wildcard answers for every name below the domain: what a random name gets as well is no record of the host.
  const sibling = `${randomBytes(SIBLING_BYTES).toString('hex')}.${parentOf(host)}`
  const wildcards = await listRecords(sibling, zone, system)
  return records.filter((record) => !wildcards.includes(record))
}

async function listRecords(host: string, zone: Resolver, system: Resolver): Promise<string[]> {
  const found = TYPES.map(async (type) => {
    // Servers of the domain above answer "no data" for a zone that begins at the host, which a resolver does find.
    const values = (await query(zone, host, type)) ?? (await query(system, host, type)) ?? []
    return values.map((value) => `${type} ${value}`)
  })
  return (await Promise.all(found)).flat()
}

/** Finds the addresses of the name servers of the nearest domain above a host. */
async function findNameServers(host: string, system: Resolver): Promise<string[]> {
  for (let name = parentOf(host); name !== ''; name = parentOf(name)) {
    const names = (await query(system, name, 'NS')) ?? []
    const addresses = await Promise.all(names.map((server) => query(system, server, 'A')))
    if (addresses.some((own) => own?.length)) return addresses.flatMap((own) => own ?? [])
  }
  throw new Error(`no name server of ${host} was found`)
}

function parentOf(host: string): string {
  return host.split('.').slice(1).join('.')
}

/** @returns null where the name exists without such a record; none where it does not exist */
async function query(resolver: Resolver, name: string, type: (typeof TYPES)[number] | 'NS'): Promise<string[] | null> {
  try {
    return (await resolver.resolve(name, type)) as string[]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENODATA') return null
    if (code === 'ENOTFOUND') return []
    throw error
  }
}
