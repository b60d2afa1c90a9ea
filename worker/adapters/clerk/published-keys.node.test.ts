import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { serveOnFreePort } from '#local/http/serve-on-free-port.ts'
import { publishedKeys } from './published-keys.ts'
import { makeSigner } from './testing/signer.ts'

afterEach(() => vi.restoreAllMocks())

async function serve(answer: (path: string) => Response): Promise<string> {
  const { origin, close } = await serveOnFreePort(({ url }) => answer(new URL(url).pathname))
  onTestFinished(close)
  return origin
}

it('reads the keys that an instance of Clerk serves', async () => {
  const { jwk } = await makeSigner({ kid: 'ins_1' })
  const paths: string[] = []
  const issuer = await serve((path) => {
    paths.push(path)
    return Response.json({ keys: [jwk] })
  })
  const keys = publishedKeys({ url: `${issuer}/.well-known/jwks.json` })
  expect(await keys.find('ins_1')).toMatchObject({ kty: 'RSA', n: jwk.n })
  expect(await keys.find('ins_2')).toBeNull()
  expect(paths).toEqual(['/.well-known/jwks.json'])
})

it('does not follow an address that leads elsewhere', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { jwk } = await makeSigner({ kid: 'ins_1' })
  const elsewhere = await serve(() => Response.json({ keys: [jwk] }))
  const issuer = await serve(() => Response.redirect(elsewhere))
  expect(await publishedKeys({ url: issuer }).find('ins_1')).toBeNull()
})
