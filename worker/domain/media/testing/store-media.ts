import { R2Window } from '#worker/domain/media/r2-window.ts'

/** Puts bytes into the real bucket; each call of the result opens them once more, as each queue message does. */
export async function storeMedia(bucket: R2Bucket, bytes: Uint8Array): Promise<() => R2Window> {
  const key = `media-test/${crypto.randomUUID()}`
  const etag = await putObject(bucket, key, bytes)
  return () => new R2Window({ bucket, key, etag, sizeBytes: bytes.byteLength })
}

/** Puts an object and answers its ETag. */
export async function putObject(bucket: R2Bucket, key: string, content: Uint8Array | string): Promise<string> {
  const object = await bucket.put(key, content)
  if (object === null) throw new Error(`${key} was not stored`)
  return object.etag
}
