/**
 * The secret to sign with. While one is being changed, `TICKET_SECRET` is the new one and the old one, with a comma
 * between, so that tickets that were handed out before go on opening.
 */
export function currentSecret(secrets: string): string {
  return listSecrets(secrets)[0] ?? ''
}

/**
 * Signs what can be written as JSON: base64url(JSON) + `.` + base64url(HMAC-SHA-256).
 * @param secrets as in `TICKET_SECRET`
 */
export async function signPayload(secrets: string, value: unknown): Promise<string> {
  const payload = new TextEncoder().encode(JSON.stringify(value))
  const signature = await crypto.subtle.sign('HMAC', await importKey(currentSecret(secrets)), payload)
  return `${encode(payload)}.${encode(new Uint8Array(signature))}`
}

/**
 * Reads what was signed. Each kind of token has its own schema, which the caller checks.
 * @param secrets as in `TICKET_SECRET`; any of them may have signed it
 * @returns null when the signature is not valid
 */
export async function readSigned(secrets: string, token: string): Promise<unknown> {
  const [payloadText, signatureText, ...rest] = token.split('.')
  if (payloadText === undefined || signatureText === undefined || rest.length > 0) return null
  const payload = decode(payloadText)
  const signature = decode(signatureText)
  if (payload === null || signature === null) return null
  if (!(await isSigned(secrets, { payload, signature }))) return null
  return JSON.parse(new TextDecoder().decode(payload))
}

interface Signed {
  payload: Uint8Array<ArrayBuffer>
  signature: Uint8Array<ArrayBuffer>
}

async function isSigned(secrets: string, { payload, signature }: Signed): Promise<boolean> {
  for (const secret of listSecrets(secrets)) {
    // `verify` compares in constant time.
    if (await crypto.subtle.verify('HMAC', await importKey(secret), signature, payload)) return true
  }
  return false
}

function listSecrets(secrets: string): string[] {
  return secrets.split(',').filter((secret) => secret !== '')
}

function importKey(secret: string): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(secret)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

function encode(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function decode(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]+$/.test(text)) return null
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}
