import { looksRandom } from './looks-random.ts'

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
  // What several shapes fit is told once, by the first and most exact of them.
  return findings.filter(({ line }, at) => findings.findIndex((other) => other.line === line) === at)
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
