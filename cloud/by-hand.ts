import type { Environment } from './environment.ts'
import { issuerOf, originsOf, type Settings } from './settings.ts'
import { show } from './shell.ts'
import { wrangler } from './wrangler.ts'

/** Claims of Clerk's JWT template `api`: what the worker reads beside the ones that Clerk always writes. */
export const TEMPLATE_CLAIMS = { org_id: '{{org.id}}', org_role: '{{org.role}}' }

interface ByHand {
  environment: Environment
  settings: Settings
  bucket: string
  say: (line: string) => void
}

/** Says what only a person can do, with the values to type. */
export function tellByHand({ environment, settings, bucket, say }: ByHand): void {
  const put = (name: string) => `   ${show(wrangler(environment, 'secret', 'put', name))}`
  const [origin = ''] = originsOf(environment, settings)
  const lines = [
    '',
    'What only you can do (docs/deploy.md has the details):',
    `1. Clerk, ${issuerOf(settings)}: turn on organizations; at "JWT templates" add one that is named`,
    '   api   with these claims:',
    `   ${JSON.stringify(TEMPLATE_CLAIMS)}`,
    ...(environment.isPreview ? [] : [`   At "Domains" the application is at ${new URL(origin).host}.`]),
    `2. R2, "API tokens": make one with "Object Read & Write" for the bucket ${bucket} only, then type its two halves into`,
    put('R2_ACCESS_KEY_ID'),
    put('R2_SECRET_ACCESS_KEY'),
    ...(environment.isPreview ? [`   or keep them for all previews in ${environment.secretsPath}.`] : []),
    `3. Operators: sign up at ${origin}, copy your user id from Clerk's "Users" into operatorIds of`,
    `   ${environment.settingsPath}, and deploy again.`,
    ...settings.domains.map((domain) => `4. ${domain}: its zone must be in this account; the deploy makes the record.`),
    ...modelKeys(settings).map((name) => `5. The key of your own model:\n${put(name)}`),
  ]
  for (const line of lines) say(line)
}

function modelKeys({ vars }: Settings): string[] {
  return ['SPEECH', 'LANGUAGE'].filter((kind) => vars[`${kind}_BASE_URL`]).map((kind) => `${kind}_API_KEY`)
}
