import fc from 'fast-check'

/** What breaks parsers, queries, paths, pages and people. None of it looks like a message of the server or runtime. */
const TEXTS = [
  '',
  ' ',
  '\t\r\n',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00\ud800',
  '\ud801'.repeat(100),
  '\ufeffbom',
  '\u202edesrever',
  '\u2028\u2029',
  'Ａ\u0301\u0301\u0301\u0301',
  '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'İıſßﬃ',
  '0',
  '-1',
  '1e999',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  "' OR '1'='1",
  "'; DROP TABLE modules; --",
  '") UNION SELECT * FROM modules --',
  '%',
  '_%_',
  '?1',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '%2e%2e%2f%2e%2e%2f',
  '/etc/passwd',
  'src/../src',
  'C:\\',
  '\\\\host\\share',
  '<script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '<!--',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '{{7*7}}',
  '${7*7}',
  '=cmd|calc!A1',
  '$(id)',
  '`id`',
  '\r\nset-cookie: a=b',
  'http://169.254.169.254/latest/meta-data/',
  'file:///etc/passwd',
  '2026-02-30T25:61:61Z',
  '00:00:-1',
  '99:99',
  'x'.repeat(65),
  'x'.repeat(257),
  'é'.repeat(1_025),
  '😀'.repeat(600),
  'w '.repeat(3_000),
  '9'.repeat(400),
  '('.repeat(2_000),
  'a'.repeat(30_000),
] as const

const NUMBERS = [
  0,
  -0,
  -1,
  1,
  0.1,
  1.5,
  -0.000_1,
  1e-320,
  0.1 + 0.2,
  255,
  65_536,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 53),
  2 ** 63,
  2 ** 64,
  1e21,
  1e100,
  1e305,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Number.MIN_VALUE,
]

/** Deeper than any parser that calls itself likes. */
const DEPTHS = [50, 2_000, 20_000]

export function hostileText(): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: fc.constantFrom(...TEXTS), weight: 6 },
    { arbitrary: fc.string({ unit: 'binary', maxLength: 40 }), weight: 1 },
    { arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }), weight: 1 },
    // Half of a pair, which no encoding of text has.
    { arbitrary: fc.array(fc.nat(0xffff), { maxLength: 8 }).map((codes) => String.fromCharCode(...codes)), weight: 1 },
  )
}

export function hostileNumber(): fc.Arbitrary<number> {
  return fc.oneof(fc.constantFrom(...NUMBERS), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
}

export function hostileValue(): fc.Arbitrary<unknown> {
  return fc.oneof(
    { arbitrary: hostileText(), weight: 5 },
    { arbitrary: hostileNumber(), weight: 4 },
    { arbitrary: fc.constantFrom(null, true, false), weight: 2 },
    { arbitrary: fc.constantFrom([], {}, [[]], [null], { length: -1 }, { toString: 1 }), weight: 2 },
    { arbitrary: fc.array(hostileText(), { maxLength: 3 }), weight: 1 },
    { arbitrary: hostileText().map((key) => Object.fromEntries([[key, 1]])), weight: 1 },
    { arbitrary: fc.constantFrom(...DEPTHS).map((depth) => new Nested(depth)), weight: 1 },
    { arbitrary: fc.jsonValue({ maxDepth: 3 }), weight: 1 },
  )
}

/** Stands for arrays in arrays; `JSON.stringify` itself could not write as many. */
export class Nested {
  readonly depth: number
  constructor(depth: number) {
    this.depth = depth
  }
  toJSON(): string {
    return `${NESTED}${this.depth}`
  }
}

const NESTED = 'nested:'

/** JSON text in which what stands for nested arrays has become them. */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.replaceAll(new RegExp(`"${NESTED}(\\d+)"`, 'g'), (_, depth: string) => {
    return '['.repeat(Number(depth)) + ']'.repeat(Number(depth))
  })
}
