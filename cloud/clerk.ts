import { createPublicKey } from 'node:crypto'
import { type ClerkClient, createClerkClient } from '@clerk/backend'
import { type ClerkAPIResponseError, isClerkAPIResponseError } from '@clerk/backend/errors'
import { z } from 'zod'
import { CloudError, type Shell } from './shell.ts'

/** Claims of Clerk's JWT template `api`: what the worker reads beside the ones that Clerk always writes. */
export const TEMPLATE_CLAIMS = {
  org_id: '{{org.id}}',
  org_role: '{{org.role}}',
  org_permissions: '{{org_membership.permissions}}',
}
const TEMPLATE_NAME = 'api'
const TOKEN_LIFETIME_S = 60
const TEMPLATES_MAX = 100

/** Opens Clerk's own API, not the one of browsers. @returns null where no secret key is given */
export function openClerk(env: Record<string, string | undefined>): ClerkClient | null {
  const { CLERK_SECRET_KEY: secretKey, CLERK_API_URL: apiUrl } = env
  return secretKey ? createClerkClient({ secretKey, ...(apiUrl ? { apiUrl } : {}) }) : null
}

const PublishedKey = z.object({ kty: z.literal('RSA'), alg: z.literal('RS256'), n: z.string(), e: z.string() })
const KeySet = z.object({ keys: z.array(z.unknown()) })

/**
 * Lists the keys that tokens are signed with, as the worker is configured with one. An instance may publish keys of other
 * kinds beside them.
 * @param published a set of keys as Clerk answers with it; anything else has none
 */
export function listPems(published: unknown): string[] {
  const keys = KeySet.safeParse(published).data?.keys ?? []
  const ours = keys.flatMap((key) => PublishedKey.safeParse(key).data ?? [])
  return ours.map((key) => createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString())
}

/**
 * Creates the JWT template `api` where it is missing.
 * @param jwtKey of the instance that the publishable key names
 * @returns whether it is there @throws {CloudError} when the secret key is of another instance, or opens none
 */
export async function createTemplate(clerk: ClerkClient | null, jwtKey: string, shell: Shell): Promise<boolean> {
  if (clerk === null) {
    shell.say('  CLERK_SECRET_KEY is not set, so the template is made by hand')
    return false
  }
  shell.say(`  creates the template ${TEMPLATE_NAME} at Clerk where it is missing`)
  if (shell.isDry) return true
  try {
    const { keys } = await clerk.jwks.getJwks()
    if (!listPems({ keys }).includes(jwtKey))
      throw new CloudError('CLERK_SECRET_KEY is of another instance of Clerk than clerkPublishableKey.')
    return await findOrCreateTemplate(clerk, shell)
  } catch (error) {
    if (!isClerkAPIResponseError(error)) throw error
    throw new CloudError(describeRefusal(error))
  }
}

/** What Clerk's own API said, for a person. */
export function describeRefusal({ status, errors }: ClerkAPIResponseError): string {
  return `Clerk answered ${status}: ${errors.map(({ message }) => message).join(' ')}`
}

/** What an instance of Clerk says to every browser; the rest of it is not read. */
const ClerkEnvironment = z.object({
  organization_settings: z.object({ enabled: z.boolean(), force_organization_selection: z.boolean().default(false) }),
})

/** `settled`: on, and one can do without. `unknown`: Clerk did not say. The others name what is wrong. */
export type OrganizationState = 'settled' | 'off' | 'required' | 'unknown'

/**
 * Reads whether organizations are on and their membership optional, which Clerk's default has not been since August 2025:
 * a person without an organization has a pending session then, and is asked for one on every page. With the secret key the
 * settings are changed, and read again: Clerk may leave one as it is.
 * @param issuer the host of the instance that browsers ask
 */
export async function settleOrganizations(
  clerk: ClerkClient | null,
  issuer: string,
  shell: Shell,
): Promise<OrganizationState> {
  const state = await readOrganizations(issuer, shell)
  if (clerk === null || state === 'settled' || state === 'unknown') return state
  shell.say('  turns organizations on, with optional membership')
  try {
    // The types of the client do not name the second one yet.
    const wanted = { enabled: true, forceOrganizationSelection: false }
    await clerk.instance.updateOrganizationSettings(wanted)
  } catch (error) {
    if (!isClerkAPIResponseError(error)) throw error
    shell.say(`  ${describeRefusal(error)}`)
  }
  return readOrganizations(issuer, shell)
}

async function readOrganizations(issuer: string, shell: Shell): Promise<OrganizationState> {
  const { data } = ClerkEnvironment.safeParse(await shell.fetchJson(`${issuer}/v1/environment`))
  if (data === undefined) return 'unknown'
  const { enabled, force_organization_selection: isRequired } = data.organization_settings
  return enabled ? (isRequired ? 'required' : 'settled') : 'off'
}

async function findOrCreateTemplate(clerk: ClerkClient, shell: Shell): Promise<boolean> {
  const { data } = await clerk.jwtTemplates.list({ limit: TEMPLATES_MAX })
  const there = data.find(({ name }) => name === TEMPLATE_NAME)
  if (there === undefined) {
    await clerk.jwtTemplates.create({ name: TEMPLATE_NAME, claims: TEMPLATE_CLAIMS, lifetime: TOKEN_LIFETIME_S })
    return true
  }
  const missing = Object.entries(TEMPLATE_CLAIMS).filter(([name, value]) => Reflect.get(there.claims, name) !== value)
  shell.say(missing.length === 0 ? '  is there' : `  is there without ${missing.map(([name]) => name).join(', ')}`)
  return missing.length === 0
}
