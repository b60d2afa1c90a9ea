import { expect, it } from 'vitest'
import { withoutSecrets } from './log.ts'

const JWT = `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.${'c'.repeat(43)}`

it.each([
  ['a presigned address', `fetch failed: https://r2.dev/m/src/x?X-Amz-Credential=AK1&X-Amz-Signature=f00d`, /AK1|f00d/],
  ['a ticket in a path', '/api/modules/m/live?ticket=abc.def&cursor=1', /abc/],
  ['a bearer token', `authorization: Bearer ${JWT}`, /eyJ/],
  ['a token alone', `Invalid token ${JWT}`, /eyJ/],
  ['a secret by its name', '{"ticket": "abc.def", "token":"x1y2"}', /abc|x1y2/],
  ['an address of a person', 'no such user: jo.doe+x@example.org', /example|jo\.doe/],
  ['what was not JSON', unparsable('Lift the red button'), /Lift|red/],
  ['what was not JSON, and long', unparsable(`{"answer": ${'the blue lever '.repeat(9)}}`), /blue|lever|'t'/],
])('leaves out %s', { tags: 'threat-17' }, (_, text, secret) => {
  expect(text).toMatch(secret)
  expect(withoutSecrets(text)).toContain('[removed]')
  expect(withoutSecrets(text)).not.toMatch(secret)
})

it('leaves alone what an operator needs', () => {
  const text =
    'TypeError: x is not a function\n  at run (worker/jobs/run-jobs.ts:12:3)\nD1_ERROR: no such column: a = ?'
  expect(withoutSecrets(text)).toBe(text)
})

it('cuts what is longer than a stack', () => {
  expect(withoutSecrets('x'.repeat(5_000)).length).toBeLessThan(2_100)
})

function unparsable(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch (error) {
    return String(error)
  }
}
