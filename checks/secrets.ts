// `npm run check:secrets`: looks for keys, tokens and passwords in every file that is or would be committed. secretlint
// knows the keys of vendors, but neither values that look random after a name nor the keys of R2 and Clerk.
import { lineAt, listFiles, readText, refuse } from './check.ts'

/**
 * Bits per character above which a text of 20 characters and more may be drawn at random: one that repeats itself, as
 * placeholders do, has fewer; keys have 3.3 and more, even of hexadecimal digits alone.
 */
const RANDOM_BITS = 3.2

/**
 * Changes between small letters, capitals and digits, per character. Words in camelCase have about 0.2, keys of
 * hexadecimal digits about 0.5, others more.
 */
const CHANGES_PER_CHARACTER = 0.25

function looksRandom(text: string): boolean {
  return /\d/.test(text) && changesIn(text) >= text.length * CHANGES_PER_CHARACTER && entropyOf(text) >= RANDOM_BITS
}

function changesIn(text: string): number {
  const kinds = text.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/\d/g, '0')
  return kinds.match(/(.)(?!\1)(?=.)/g)?.length ?? 0
}

/** Shannon's entropy in bits per character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((bits, count) => bits - (count / text.length) * Math.log2(count / text.length), 0)
}

/** The shape of one kind of key. The first group, where there is one, is the key itself. */
interface KeyShape {
  kind: string
  pattern: RegExp
  /** Whether what was matched must also look drawn at random: for names that ordinary values carry too. */
  mustLookRandom?: true
}

/** Shapes as their makers document them; the last one takes whatever is called a secret. */
const SHAPES: readonly KeyShape[] = [
  { kind: 'private key', pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/g },
  { kind: 'AWS access key id', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  {
    kind: 'AWS or R2 secret access key',
    // 40 characters of base64 (AWS), or the SHA-256 of a token in hex (R2).
    pattern: /secret_?access_?key["']?\s*[:=]\s*["']?([A-Za-z0-9/+]{40}|[0-9a-f]{64})(?![A-Za-z0-9/+])/gi,
  },
  { kind: 'secret key of Clerk or Stripe', pattern: /\b[sr]k_(?:live|test)_[A-Za-z0-9]{20,}/g },
  { kind: 'signing secret of a webhook', pattern: /\bwhsec_[A-Za-z0-9+/]{20,}/g },
  { kind: 'key of an organization', pattern: /\badapt_[\w-]{43}(?![\w-])/g },
  { kind: 'Cloudflare token', pattern: /\bcf(?:k|ut|at)_[A-Za-z0-9_-]{40,}/g },
  {
    kind: 'Cloudflare token',
    pattern:
      /(?:cloudflare|\bcf)_?(?:api_?|global_?)*(?:token|key)["']?\s*[:=]\s*["']?([A-Za-z0-9_-]{37,40})(?![\w-])/gi,
  },
  { kind: 'JSON web token', pattern: /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{16,}/g },
  { kind: 'key of a model provider', pattern: /\bsk-(?:[a-z0-9]+-)*([A-Za-z0-9_-]{24,})/g, mustLookRandom: true },
  { kind: 'key of a model provider', pattern: /\b(?:gsk|hf)_[A-Za-z0-9]{30,}/g },
  { kind: 'GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{40,})/g },
  { kind: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'Google key', pattern: /\bAIza[\w-]{35}/g },
  { kind: 'Slack token', pattern: /\bxox[abeprs]-[A-Za-z0-9-]{20,}/g },
  {
    kind: 'value of a secret',
    pattern:
      /(?:secret|token|passw(?:or)?d|api_?key|access_?key|private_?key|credential)\w*["']?\s*[:=]\s*["'`]?([\w+/=~-]{20,})/gi,
    mustLookRandom: true,
  },
]

/** Values that look like secrets and are none, with the reason why they may be read by everybody. */
export const KNOWN_VALUES: Readonly<Record<string, string>> = {}

/** Where something that looks like a secret was found, and what it looks like; never the secret itself. */
export interface Finding {
  line: number
  kind: string
}

/** What looks like a secret in a text, one finding per line and kind. */
export function findSecrets(text: string, known: Readonly<Record<string, string>> = KNOWN_VALUES): Finding[] {
  const findings = SHAPES.flatMap(({ kind, pattern, mustLookRandom }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const value = match[1] ?? match[0]
      if (Object.hasOwn(known, value) || (mustLookRandom && !looksRandom(value))) return []
      return [{ line: lineAt(text, match.index), kind }]
    }),
  )
  // What several shapes fit is reported once, by the first and most exact of them.
  return findings.filter(({ line }, at) => findings.findIndex((other) => other.line === line) === at)
}

/** What looks like a secret, as `file:line: kind`. */
export function findSecretsIn(root: string, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const text = readText(root, file)
    return text === null ? [] : findSecrets(text).map(({ line, kind }) => `${file}:${line}: looks like a ${kind}`)
  })
}

if (import.meta.main) {
  const files = listFiles('.')
  if (files === null) console.log('Secrets: skipped, because this is no working copy of git.')
  const found = findSecretsIn('.', files ?? [])
  refuse(found)
  if (found.length > 0) {
    console.error('Take it out and revoke it: what was ever committed is known. What is no secret: KNOWN_VALUES.')
  }
}
