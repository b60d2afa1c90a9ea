import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { listFiles } from './check.ts'
import { findSecrets, findSecretsIn } from './secrets.ts'

const HEX = '0123456789abcdef'
const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The same made-up key each time; written out, the scan would find it here. */
function makeKey(length: number, alphabet: string = BASE62): string {
  let state = length
  const characters = Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return alphabet[Math.floor((state / 2_147_483_648) * alphabet.length)]
  })
  return characters.join('')
}

const JWT = `eyJ${makeKey(30)}.eyJ${makeKey(60)}.${makeKey(43)}`

it.each([
  ['private key', `-----BEGIN ${'PRIVATE'} KEY-----\nMIIEvQ`],
  ['private key', `-----BEGIN RSA ${'PRIVATE'} KEY-----\nMIIEvQ`],
  ['AWS access key id', `id = AKIA${makeKey(16, BASE62.slice(0, 26))}`],
  ['AWS or R2 secret access key', `aws_secret_access_key = ${makeKey(40)}`],
  ['AWS or R2 secret access key', `"secretAccessKey": "${makeKey(64, HEX)}"`],
  ['AWS or R2 secret access key', `R2_SECRET_ACCESS_KEY=${makeKey(64, HEX)}`],
  ['secret key of Clerk or Stripe', `const key = 'sk_live_${makeKey(40)}'`],
  ['secret key of Clerk or Stripe', `sk_test_${makeKey(40)}`],
  ['signing secret of a webhook', `whsec_${makeKey(32)}`],
  ['key of an organization', `authorization: Bearer adapt_${makeKey(43)}`],
  ['Cloudflare token', `CLOUDFLARE_API_TOKEN=${makeKey(40)}`],
  ['Cloudflare token', `cf_api_key: "${makeKey(37, HEX)}"`],
  ['Cloudflare token', `Bearer cfut_${makeKey(48)}`],
  ['JSON web token', `authorization: Bearer ${JWT}`],
  ['key of a model provider', `LANGUAGE = "sk-${makeKey(48)}"`],
  ['key of a model provider', `sk-proj-${makeKey(80)}`],
  ['key of a model provider', `hf_${makeKey(34)}`],
  ['GitHub token', `ghp_${makeKey(36)}`],
  ['npm token', `_authToken=npm_${makeKey(36)}`],
  ['Google key', `AIza${makeKey(35)}`],
  ['Slack token', `xoxb-${makeKey(12, '0123456789')}-${makeKey(24)}`],
  ['value of a secret', `TICKET_SECRET = "${makeKey(32)}"`],
  ['value of a secret', `password: '${makeKey(24)}'`],
  ['value of a secret', `"SPEECH_API_KEY": "${makeKey(40, HEX)}"`],
])('finds a %s in %s', { tags: 'threat-21' }, (kind, text) => {
  expect(findSecrets(`first line\n${text}\n`, {})).toEqual([{ line: 2, kind }])
})

it.each([
  'secretAccessKey: env.R2_SECRET_ACCESS_KEY,',
  "TICKET_SECRET: 'test-only-ticket-secret',",
  "const token = await signTicketForSharedVideo2('video')",
  'LANGUAGE_API_KEY=your-key-goes-here-your-key-goes-here',
  '"integrity": "sha512-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4MDEyMzQ1Njc4OQ=="',
  'className="sk-cube-grid-container-with-nine-cubes"',
  '-----BEGIN PUBLIC KEY-----',
])('leaves %s alone', (text) => {
  expect(findSecrets(text, {})).toEqual([])
})

it('leaves alone what is known to be no secret', () => {
  const key = makeKey(32)
  expect(findSecrets(`TOKEN = '${key}'`, { [key]: 'printed in the manual of a stand-in' })).toEqual([])
})

it('looks at files that git would commit, and never repeats what it found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adapt-secrets-'))
  try {
    spawnSync('git', ['init', '--quiet', folder])
    const key = `sk_live_${makeKey(40)}`
    writeFileSync(join(folder, '.gitignore'), '.dev.vars\n')
    writeFileSync(join(folder, '.dev.vars'), `KEY=${key}\n`)
    writeFileSync(join(folder, 'new.ts'), `\nconst key = '${key}'\n`)
    writeFileSync(join(folder, 'video.mp4'), `\0${key}`)
    const files = listFiles(folder) ?? []
    expect(files.toSorted()).toEqual(['.gitignore', 'new.ts', 'video.mp4'])
    expect(findSecretsIn(folder, files)).toEqual(['new.ts:2: looks like a secret key of Clerk or Stripe'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('finds nothing in the project', { tags: 'threat-21' }, () => {
  const project = resolve(import.meta.dirname, '..')
  expect(findSecretsIn(project, listFiles(project) ?? [])).toEqual([])
})
