import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { openContext } from '#worker/entry/open-context.ts'
import { networkOf, siteOf } from '#worker/http/network-of.ts'
import { countTry } from './code-tries.ts'

it('counts the wrong codes of all networks of one site together, and of another site apart', async () => {
  const context = { ...openContext(env), nowMs: () => Date.UTC(2026, 10, 30) }
  const tryFrom = (address: string) =>
    countTry(context, { orgId: 'org_1', groupId: 'g1', network: networkOf(address), site: siteOf(address) })
  for (let network = 0; network < 20; network++) await tryFrom(`2001:db8:1:${network}::1`)
  await expect(tryFrom('2001:db8:1:ff::1')).rejects.toMatchObject({ code: 'rate_limited' })
  await tryFrom('2001:db8:2:1::1')
})
