import { Hono } from 'hono'
import { answer, loadClientJson, loadSessionJson, setSignedInSince } from '../client.ts'
import type { StandInContext, StandInEnv } from '../context.ts'
import { FapiError, notFound } from '../fapi-error.ts'
import { readForm } from '../form.ts'
import { getSignedIn, type SignedIn } from '../signed-in.ts'
import { dropAttempts } from '../store/attempt-store.ts'
import { closeSessions, touchSession } from '../store/session-store.ts'
import { mintApiToken, mintSessionToken } from '../tokens.ts'

export const sessionRoutes = new Hono<StandInEnv>()
  .delete('/', async (c) => {
    await signOut(c)
    return answer(c, await loadClientJson(c))
  })
  .get('/:sessionId', async (c) => answer(c, await loadSessionJson(c, await getSignedIn(c, c.req.param('sessionId')))))
  .post('/:sessionId/touch', async (c) => {
    const signedIn = await getSignedIn(c, c.req.param('sessionId'))
    const organizationId = pickOrganization(signedIn, (await readForm(c)).active_organization_id)
    await touchSession(c.var.db, signedIn.session, { organizationId })
    return answer(c, await loadSessionJson(c, await getSignedIn(c)))
  })
  .post('/:sessionId/tokens', async (c) => {
    const signedIn = await getSignedIn(c, c.req.param('sessionId'))
    return c.json({ object: 'token', jwt: await mintSessionToken(c, signedIn) })
  })
  .post('/:sessionId/tokens/:template', async (c) => {
    const signedIn = await getSignedIn(c, c.req.param('sessionId'))
    if (c.req.param('template') !== 'api') throw notFound('JWT template')
    return c.json({ object: 'token', jwt: await mintApiToken(c, signedIn) })
  })
  .post('/:sessionId/:ending{remove|end}', async (c) => {
    const session = await loadSessionJson(c, await getSignedIn(c, c.req.param('sessionId')))
    await signOut(c)
    return answer(c, { ...session, status: c.req.param('ending') === 'end' ? 'ended' : 'removed' })
  })

async function signOut(c: StandInContext): Promise<void> {
  const clientId = c.var.clientId
  if (clientId) await Promise.all([closeSessions(c.var.db, clientId), dropAttempts(c.var.db, clientId)])
  await setSignedInSince(c, null)
}

/** @returns undefined when the form does not speak of it, null for none. */
function pickOrganization({ memberships }: SignedIn, organizationId: string | undefined): string | null | undefined {
  if (!organizationId) return organizationId === '' ? null : undefined
  if (memberships.some(({ organization }) => organization.id === organizationId)) return organizationId
  throw new FapiError(404, 'organization_not_found_or_unauthorized', 'Organization not found or unauthorized')
}
