import fc from 'fast-check'
import type { RouteRow } from '../route-row.ts'
import { ROUTES } from '../route-table.ts'
import { type Body, rightBodies, wrongBodies } from './bodies.ts'
import { hostileText } from './hostile.ts'
import { mutated } from './mutate.ts'

import { valuesOf } from './values-of.ts'
import { fillText, MEANT, type World } from './world.ts'

const CALLERS = ['anonymous', 'stranger', 'owner'] as const

/** One bad, odd or right call, before it is known which modules it is about. */
export interface Case {
  number: number
  /** Method and path of the route that it is meant for. */
  route: string
  caller: (typeof CALLERS)[number]
  method: string
  target: string
  headers: [name: string, value: string][]
  body: Body | null
}

export interface Sent {
  method: string
  /** Path and query, ASCII without spaces. */
  target: string
  headers: [name: string, value: string][]
  body: Uint8Array<ArrayBuffer> | null
}

/** So many cases, the same for the same seed, of all routes in turns. */
export function makeCases(seed: number, count: number): Case[] {
  const routes = Object.keys(ROUTES)
  const each = Math.ceil(count / routes.length)
  const byRoute = routes.map((route, at) => fc.sample(callsOf(route), { seed: seed + at, numRuns: each }))
  const turns = Array.from({ length: each }, (_, turn) => byRoute.flatMap((calls) => calls.slice(turn, turn + 1)))
  return turns
    .flat()
    .slice(0, count)
    .map((call, at) => ({ ...call, number: at + 1 }))
}

/** The case as it is about the modules of a world. */
export function sendOf({ method, target, headers, body, caller }: Case, world: World): Sent {
  const own: [string, string][] = [['cf-connecting-ip', world.names.address]]
  if (caller !== 'anonymous') own.push(['authorization', `Bearer ${world.tokens[caller]}`])
  if (body !== null && body.contentType !== null) own.push(['content-type', body.contentType])
  const odd = headers.map(([name, value]): [string, string] => [name, fillText(value, world)])
  const named = new Map([...own, ...odd])
  const hasBody = body !== null && !['GET', 'HEAD'].includes(method)
  return { method, target: fillText(target, world), headers: [...named], body: hasBody ? body.write(world) : null }
}

const OTHER_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** What is right and what is wrong in a case: all of them are right now and then. */
const KINDS = fc.oneof(
  { arbitrary: fc.constant({}), weight: 3 },
  { arbitrary: fc.constant({ body: true }), weight: 9 },
  { arbitrary: fc.constant({ address: true }), weight: 4 },
  { arbitrary: fc.constant({ headers: true }), weight: 3 },
  { arbitrary: fc.constant({ body: true, address: true, headers: true }), weight: 1 },
) as fc.Arbitrary<Partial<Record<'body' | 'address' | 'headers', true>>>

function callsOf(route: string): fc.Arbitrary<Omit<Case, 'number'>> {
  const row = ROUTES[route] as RouteRow
  const [method = 'GET'] = route.split(' ')
  const own = row.fuzzHeaders ?? []
  const caller = fc.oneof({ arbitrary: fc.constant('owner' as const), weight: 3 }, fc.constantFrom(...CALLERS))
  const odd = fc.array(oddHeader, { minLength: 1, maxLength: 3 })
  return KINDS.chain((wrong) =>
    fc.record({
      route: fc.constant(route),
      caller,
      method: wrong.address ? fc.constantFrom(method, method, method, ...OTHER_METHODS) : fc.constant(method),
      target: wrong.address ? oddTargets(route, row) : targets(route, row),
      headers: (wrong.headers ? odd : fc.constant([])).map((some) => [...own, ...some]),
      body: wrong.body ? wrongBodies(row) : rightBodies(row),
    }),
  )
}

/** No encoding that the project's clients would write. */
const RAW_PARTS = [
  '%',
  '%ff',
  '%00',
  '%2e%2e%2f',
  '..',
  '.',
  '%ed%a0%80',
  '%u0041',
  ';a=b',
  '*',
  'a%0d%0ab',
  'b'.repeat(3_000),
]

/** Which worker answers is decided by the first part, so that one stays. */
const FIXED_PARTS = 2

function targets(route: string, { query, meant }: RouteRow): fc.Arbitrary<string> {
  const tickets = ROUTES[route]?.access === 'ticket' ? TICKETS : fc.constant('')
  const asked = query === undefined ? tickets : asQuery(valuesOf(query, 'calm', { ...MEANT, ...meant }))
  return fc.tuple(fc.tuple(...rightParts(route, meant)), asked).map(([path, tail]) => path.join('/') + tail)
}

function rightParts(route: string, meant: RouteRow['meant']): fc.Arbitrary<string>[] {
  const [, template = '/'] = route.split(' ')
  const known: typeof MEANT = { ...MEANT, ...meant }
  return template.split('/').map((part) => {
    if (part === '*') return fc.constant('index-abc.js')
    return part.startsWith(':') ? encoded((known[part.slice(1)] ?? fc.constant('1')).map(String)) : fc.constant(part)
  })
}

function oddTargets(route: string, { query, meant }: RouteRow): fc.Arbitrary<string> {
  const odd = fc.oneof(encoded(hostileText()), fc.constantFrom(...RAW_PARTS))
  const [, template = '/'] = route.split(' ')
  const names = template.split('/')
  const parts = rightParts(route, meant).map((right, at) => {
    if (at < FIXED_PARTS) return right
    return /^[:*]/.test(names[at] ?? '') ? fc.oneof(right, odd) : rarely(right, odd)
  })
  const ends = rarely(fc.constant(''), fc.constantFrom('/', '//', '/..', '/%2e', '/x', '.json'))
  const wild = query === undefined ? undefined : valuesOf(query, 'wild', { ...MEANT, ...meant })
  const asked = wild === undefined ? anyQuery : asQuery(fc.oneof(wild, mutated(wild)))
  return fc
    .tuple(fc.tuple(...parts), ends, fc.oneof(asked, fc.constant('')))
    .map(([path, end, tail]) => path.join('/') + end + tail)
}

function encoded(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return texts.map((text) => encodeURIComponent(text.toWellFormed()).replaceAll('%40', '@'))
}

/** One of the others now and then. */
function rarely<Value>(usual: fc.Arbitrary<Value>, others: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: others, weight: 1 })
}

const TICKETS = fc.constantFrom('?ticket=@liveTicket@', '?ticket=@videoTicket@', '?ticket=@liveTicket@&cursor=-1e999')

const anyQuery = fc
  .tuple(fc.constantFrom('t', 'limit', 'cursor', 'ticket', '__proto__', 'a[]', ''), hostileText())
  .map(([name, value]) => `?${name}=${encodeURIComponent(value.slice(0, 3_000).toWellFormed())}&${name}=%ff&%`)

const QUERY_MAX_CHARS = 4_000

function asQuery(values: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return values.map((value) => {
    const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [['', value]]
    const pairs = fields.map(([name, each]) => {
      const text = typeof each === 'string' ? each : JSON.stringify(each)
      return `${encodeURIComponent(String(name).toWellFormed())}=${encodeURIComponent((text ?? '').slice(0, 3_000).toWellFormed())}`
    })
    // A server may refuse longer addresses before we see them.
    return `?${pairs.join('&').replaceAll('%40', '@').slice(0, QUERY_MAX_CHARS)}`
  })
}

const ODD_HEADERS: Record<string, readonly string[]> = {
  accept: ['application/json', '*/*;q=0', 'text/html', 'x'.repeat(2_000)],
  range: [
    'bytes=0-',
    'bytes=-1',
    'bytes=5-1',
    'bytes=0-0,2-3',
    'bytes=99999999999999999999-',
    'lines=1-2',
    'bytes=',
    'bytes=-0',
  ],
  'if-none-match': ['*', '""', 'W/"x"', ',,,', '"'.repeat(500)],
  'if-match': ['*', '"x"'],
  'if-range': ['"x"', 'yesterday'],
  'if-modified-since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'never'],
  upgrade: ['websocket', 'h2c', 'WEBSOCKET, x'],
  connection: ['close'],
  origin: ['null', 'https://elsewhere.test', 'http://localhost:8787', '*'],
  authorization: [
    'Bearer',
    'Bearer a.b.c',
    'Bearer ..',
    'Basic Og==',
    `Bearer ${'e'.repeat(4_000)}.e.e`,
    'Bearer eyJhbGciOiJub25lIn0.e30.',
  ],
  cookie: ['__session=a.b.c', '='.repeat(500)],
  'content-type': ['application/json', 'text/vtt', 'audio/webm;codecs=opus', 'application/json\t;x'],
  'content-encoding': ['gzip', 'br'],
  'idempotency-key': ['', 'x'.repeat(3_000)],
  'x-forwarded-for': ['127.0.0.1, ::1', "'; DROP TABLE modules; --"],
  'x-forwarded-host': ['elsewhere.test'],
  'x-http-method-override': ['DELETE'],
  'accept-language': ['*', 'xx-'.repeat(300)],
  'sec-websocket-protocol': ['a, b'],
}

const oddHeader = fc
  .constantFrom(...Object.keys(ODD_HEADERS))
  .chain((name) => fc.constantFrom(...(ODD_HEADERS[name] ?? [''])).map((value): [string, string] => [name, value]))
