import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { CloudError } from './cloud-error.ts'

/**
 * What Cloudflare takes of a worker, compressed, on the free plan; a paid one takes 10 MB. The smaller one is kept to,
 * because a worker is read from the start wherever an isolate begins.
 * @see https://developers.cloudflare.com/workers/platform/limits/#worker-size
 */
export const BUNDLE_BYTES_MAX = 3 * 1024 * 1024

/** Compressed size of what `wrangler deploy --dry-run --outdir` wrote; maps of its source do not count. */
export function measureBundle(dir: string): number {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(js|mjs|wasm|bin)$/.test(name),
  )
  return files.reduce((sum, name) => sum + gzipSync(readFileSync(join(dir, name))).length, 0)
}

/** @returns the size as people read it @throws {CloudError} when it is too large */
export function checkBundle(dir: string): string {
  const bytes = measureBundle(dir)
  const text = `${(bytes / 1024).toFixed(0)} KiB compressed of ${BUNDLE_BYTES_MAX / 1024} KiB`
  if (bytes > BUNDLE_BYTES_MAX) throw new CloudError(`The worker is too large: ${text}.`)
  return text
}
