import { AwsClient } from 'aws4fetch'
import { PRESIGNED_URL_TTL_S } from '#contract/limits.ts'
import type { UploadConfig } from './upload-config.ts'

/** What may be put where. */
export interface SignedPut {
  key: string
  /** The PUT has to repeat it to the letter; any type will do when it is left out. */
  contentType?: string
  /** The PUT has to have exactly so many bytes; any number will do when it is left out. */
  sizeBytes?: number
  /** A part of an upload in parts, by S3's own names. */
  part?: { partNumber: number; uploadId: string }
}

/**
 * An address that takes PUTs of one object, or of one part, for a quarter of an hour. Signs host, type and length;
 * browsers send the length by themselves, so a file of another length does not match the signature.
 */
export async function signPut(config: UploadConfig, { key, contentType, sizeBytes, part }: SignedPut): Promise<string> {
  const client = new AwsClient({ ...config, service: 's3', region: 'auto' })
  const url = new URL(`${config.endpoint}/${key}`)
  if (part !== undefined) {
    url.searchParams.set('partNumber', String(part.partNumber))
    url.searchParams.set('uploadId', part.uploadId)
  }
  url.searchParams.set('X-Amz-Expires', String(PRESIGNED_URL_TTL_S))
  const signed = await client.sign(url.href, {
    method: 'PUT',
    headers: {
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(sizeBytes === undefined ? {} : { 'content-length': String(sizeBytes) }),
    },
    aws: { signQuery: true, allHeaders: true },
  })
  return signed.url
}
