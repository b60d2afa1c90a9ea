import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { publishedKeys } from './published-keys.ts'
import { makeSigner } from './testing/signer.ts'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
  vi.restoreAllMocks()
})

async function serve(answer: (path: string, response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => answer(request.url ?? '', response))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('reads the keys that an instance of Clerk serves', async () => {
  const { jwk } = await makeSigner({ kid: 'ins_1' })
  const paths: string[] = []
  const issuer = await serve((path, response) => {
    paths.push(path)
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }))
  })
  const keys = publishedKeys({ url: `${issuer}/.well-known/jwks.json` })
  expect(await keys.find('ins_1')).toMatchObject({ kty: 'RSA', n: jwk.n })
  expect(await keys.find('ins_2')).toBeNull()
  expect(paths).toEqual(['/.well-known/jwks.json'])
})

it('does not follow an address that leads elsewhere', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { jwk } = await makeSigner({ kid: 'ins_1' })
  const elsewhere = await serve((_, response) => response.end(JSON.stringify({ keys: [jwk] })))
  const issuer = await serve((_, response) => response.writeHead(302, { location: elsewhere }).end())
  expect(await publishedKeys({ url: issuer }).find('ins_1')).toBeNull()
})
