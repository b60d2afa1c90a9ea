import { encodeBase64, encodeBase64Url as encodePadded } from 'hono/utils/encode'

const RSA = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }
export const RS256_HEADER = { alg: 'RS256', typ: 'JWT' }

/** A key pair that signs tokens as Clerk does, and its public half in both forms in which Clerk gives it away. */
export interface Signer {
  sign: (claims: unknown, header?: unknown) => Promise<string>
  pem: string
  jwk: JsonWebKey
}

export async function makeSigner({ hash = 'SHA-256', kid }: { hash?: string; kid?: string } = {}): Promise<Signer> {
  const pair = (await crypto.subtle.generateKey({ ...RSA, hash }, true, ['sign', 'verify'])) as CryptoKeyPair
  const spki = (await crypto.subtle.exportKey('spki', pair.publicKey)) as ArrayBuffer
  const { n, e } = (await crypto.subtle.exportKey('jwk', pair.publicKey)) as JsonWebKey
  return {
    pem: `-----BEGIN PUBLIC KEY-----\n${encodeBase64(spki).replace(/(.{64})/g, '$1\n')}\n-----END PUBLIC KEY-----\n`,
    jwk: { use: 'sig', kty: 'RSA', kid, alg: 'RS256', n, e } as JsonWebKey,
    async sign(claims, header = kid === undefined ? RS256_HEADER : { ...RS256_HEADER, kid }) {
      const content = `${encodeJson(header)}.${encodeJson(claims)}`
      const signature = await crypto.subtle.sign(RSA.name, pair.privateKey, new TextEncoder().encode(content))
      return `${content}.${encodeBase64Url(signature)}`
    },
  }
}

export function encodeBase64Url(bytes: ArrayBufferLike): string {
  return encodePadded(bytes).replaceAll('=', '')
}

export function encodeText(text: string): string {
  return encodeBase64Url(new TextEncoder().encode(text).buffer)
}

export function encodeJson(value: unknown): string {
  return encodeText(JSON.stringify(value))
}
