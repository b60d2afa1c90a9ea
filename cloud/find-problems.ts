import { isPublishableKey } from '#web/features/auth/publishable-key.ts'
import type { Environment } from './environment.ts'
import { OWN_VARS } from './make-config.ts'
import { type Found, originsOf, type Settings } from './settings.ts'

const HOST = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/
const LOCAL_HOST = /(^|\.)(localhost|local|test|example|invalid)$/
const PLACEHOLDER_ID = /^[0-]*$/
const PEM = /^-----BEGIN PUBLIC KEY-----\n[\s\S]+\n-----END PUBLIC KEY-----\n?$/

/** What is filled in wrongly or not at all, one sentence each. */
export function findSettingsProblems(environment: Environment, settings: Settings, knownVars: string[]): string[] {
  const { domains, workersDevSubdomain, clerkPublishableKey, operatorIds, vars } = settings
  return [
    ...(originsOf(environment, settings).length > 0 ? [] : [whereMissing(environment)]),
    ...domains
      .filter((domain) => !isPublicHost(domain))
      .map((domain) => `domains: "${domain}" is no public host name.`),
    ...(/^[a-z0-9-]*$/.test(workersDevSubdomain) ? [] : [`workersDevSubdomain: "${workersDevSubdomain}" is no name.`]),
    ...keyProblems(environment, clerkPublishableKey),
    ...operatorIds.filter((id) => !id.startsWith('user_')).map((id) => `operatorIds: "${id}" is no Clerk user id.`),
    ...Object.keys(vars).flatMap((name) => varProblem(name, knownVars)),
  ]
}

/** What setup has yet to find. */
export function findMissing({ accountId, databaseId, clerkJwtKey }: Found): string[] {
  return [
    ...(accountId === '' ? ['The account is not known.'] : []),
    ...(PLACEHOLDER_ID.test(databaseId) ? ['The database has no id.'] : []),
    ...(PEM.test(clerkJwtKey) ? [] : ["Clerk's public key is missing."]),
  ]
}

function whereMissing({ isPreview }: Environment): string {
  return isPreview
    ? 'workersDevSubdomain: previews are opened at workers.dev; its name stands at Workers & Pages in the dashboard.'
    : 'domains: where will people open Adapt? Give a host of a zone of the account.'
}

function isPublicHost(host: string): boolean {
  return HOST.test(host) && !LOCAL_HOST.test(host)
}

function keyProblems({ isPreview }: Environment, key: string): string[] {
  if (key === '') return ['clerkPublishableKey: missing; it stands at "API keys" in the Clerk dashboard.']
  if (!isPublishableKey(key)) return ['clerkPublishableKey: this is no publishable key.']
  if (isPreview || key.startsWith('pk_live_')) return []
  return ['clerkPublishableKey: this is a key of a development instance; production needs pk_live_….']
}

function varProblem(name: string, known: string[]): string[] {
  if (OWN_VARS.includes(name)) return [`vars: ${name} follows from the other settings.`]
  return known.includes(name) ? [] : [`vars: wrangler.toml has no ${name}.`]
}
