import fc from 'fast-check'
import { SENT_CAPTION_TYPES } from '#contract/transcript.ts'
import { RECORDING_TYPES } from '#contract/tutor.ts'
import type { RouteRow } from '../route-row.ts'
import { hostileText, hostileValue, writeJson } from './hostile.ts'
import { mutated } from './mutate.ts'
import { valuesOf } from './values-of.ts'
import { fillText, MEANT, type World } from './world.ts'

/** A body before it is known which modules it is about. */
export interface Body {
  contentType: string | null
  write: (world: World) => Uint8Array<ArrayBuffer>
}

const OTHER_TYPES = [
  null,
  '',
  'text/plain',
  'application/jsonx',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'image/svg+xml',
  ';;;',
]

/** What becomes of JSON on its way. */
const SPOILS = {
  nothing: (text: string) => encode(text),
  cut: (text: string) => encode(text.slice(0, Math.floor(text.length / 2))),
  nan: (text: string) => encode(text.replace(/-?\d[\d.e+]*/, 'NaN')),
  infinite: (text: string) => encode(text.replace(/-?\d[\d.e+]*/, '1e999')),
  precise: (text: string) => encode(text.replace(/-?\d[\d.e+]*/, '0.1000000000000000055511151231257827e-400')),
  comment: (text: string) => encode(`/**/${text}`),
  bom: (text: string) => encode(`\ufeff${text}`),
  twice: (text: string) => encode(text + text),
  single: (text: string) => encode(text.replaceAll('"', "'")),
  repeatedField: (text: string) => encode(text.replace(/^\{/, '{"moduleId":[],"__proto__":{"role":"owner"},')),
  badUtf8: (text: string) => join(encode(text.slice(0, -2)), new Uint8Array([0xc0, 0xaf, 0xff, 0xed, 0xa0, 0x80])),
  nulByte: (text: string) => join(encode(text), new Uint8Array([0])),
  utf16: (text: string) => new Uint8Array(Array.from(text).flatMap((char) => [char.charCodeAt(0) & 255, 0])),
  empty: () => new Uint8Array(),
  huge: (text: string) => encode(`${text}${' '.repeat(1_100_000)}`),
} as const satisfies Record<string, (text: string) => Uint8Array<ArrayBuffer>>

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text))
}

function join(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(parts.flatMap((part) => [...part]))
}

/** Bodies that a route takes; null for none at all. */
export function rightBodies({ body, bytes, meant }: RouteRow): fc.Arbitrary<Body | null> {
  if (bytes !== undefined) return rawBody(BYTES[bytes].right, BYTES[bytes].types)
  if (body === undefined) return fc.constant(null)
  return jsonOf(valuesOf(body, 'calm', { ...MEANT, ...meant }), fc.constant('nothing'), fc.constant('application/json'))
}

/** Bodies that it should not take, and some at its limits that it may. */
export function wrongBodies({ body, bytes, meant }: RouteRow): fc.Arbitrary<Body | null> {
  const none = { arbitrary: fc.constant(null), weight: 1 }
  if (bytes !== undefined) {
    const types = fc.constantFrom(...BYTES[bytes].types, ...BYTES[bytes].types, ...OTHER_TYPES)
    return fc.oneof({ arbitrary: types.chain((type) => rawBody(BYTES[bytes].wrong, [type])), weight: 9 }, none)
  }
  if (body === undefined) return jsonOf(hostileValue(), usualSpoil, usualType)
  const wild = valuesOf(body, 'wild', { ...MEANT, ...meant })
  const calm = valuesOf(body, 'calm', { ...MEANT, ...meant })
  return fc.oneof(
    { arbitrary: jsonOf(wild, usualSpoil, usualType), weight: 10 },
    { arbitrary: jsonOf(mutated(calm), usualSpoil, usualType), weight: 10 },
    { arbitrary: jsonOf(hostileValue(), usualSpoil, usualType), weight: 2 },
    none,
  )
}

type Spoil = keyof typeof SPOILS

const usualSpoil = fc.oneof(
  { arbitrary: fc.constant('nothing' as const), weight: 8 },
  { arbitrary: fc.constantFrom(...(Object.keys(SPOILS) as Spoil[])), weight: 1 },
)
const usualType = fc.oneof(
  { arbitrary: fc.constantFrom('application/json', 'application/json; charset=utf-8'), weight: 14 },
  { arbitrary: fc.constantFrom(...OTHER_TYPES), weight: 1 },
)

function jsonOf(values: fc.Arbitrary<unknown>, spoils: fc.Arbitrary<Spoil>, types: fc.Arbitrary<string | null>) {
  return fc.tuple(values, spoils, types).map(
    ([value, spoil, contentType]): Body => ({
      contentType,
      write: (world) => SPOILS[spoil](fillText(writeJson(value), world)),
    }),
  )
}

/** First bytes of images, which are all that is looked at. */
const IMAGES = [
  [0x52, 0x49, 0x46, 0x46, 4, 0, 0, 0, 0x57, 0x45, 0x42, 0x50],
  [0xff, 0xd8, 0xff, 0xe0],
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  [0x3c, 0x73, 0x76, 0x67],
]
const CAPTIONS = [
  'WEBVTT\n\n00:00.000 --> 00:04.000\nPark the car.\n\n00:04.000 --> 00:09.000\nPull the handbrake.\n',
  '1\r\n00:00:00,000 --> 00:00:04,000\r\nPark the car.\r\n\r\n2\r\n00:00:04,000 --> 00:00:09,000\r\nPull it.\r\n',
  'WEBVTT\n\n99:99:99.999 --> 00:00.000\n<v Bob><b>x\n\n00:00.000 --> 9999999999:00:00.000\ny\n',
]

const noise = fc.uint8Array({ maxLength: 400 }).map((bytes) => new Uint8Array(bytes))

/** A caption file into which something strange was put. */
const captionBytes = fc
  .record({ text: fc.constantFrom(...CAPTIONS), at: fc.nat(120), strange: hostileText() })
  .map(({ text, at, strange }) => encode(text.slice(0, at) + strange + text.slice(at)))

/** First bytes that are right with anything behind them, and whatever else. */
const BYTES: Record<NonNullable<RouteRow['bytes']>, { right: Bytes; wrong: Bytes; types: readonly string[] }> = {
  image: {
    right: fc.tuple(fc.constantFrom(...IMAGES), noise).map(([magic, rest]) => join(new Uint8Array(magic), rest)),
    wrong: noise,
    types: ['image/webp', 'image/jpeg'],
  },
  captions: {
    right: fc.constantFrom(...CAPTIONS).map(encode),
    wrong: fc.oneof({ arbitrary: captionBytes, weight: 5 }, { arbitrary: noise, weight: 1 }),
    types: SENT_CAPTION_TYPES,
  },
  recording: { right: noise, wrong: noise, types: RECORDING_TYPES },
}

type Bytes = fc.Arbitrary<Uint8Array<ArrayBuffer>>

function rawBody(bytes: Bytes, types: readonly (string | null)[]): fc.Arbitrary<Body> {
  return fc
    .tuple(bytes, fc.constantFrom(...types))
    .map(([content, contentType]) => ({ contentType, write: () => content }))
}
