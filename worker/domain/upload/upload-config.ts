/** The bucket's S3 side and how large an object may become. */
export interface UploadConfig {
  /** S3 endpoint including the bucket. */
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
  maxBytes: number
}

/** @param env text of MAX_UPLOAD_BYTES must be a positive number of bytes */
export function readUploadConfig(env: Env): UploadConfig {
  const maxBytes = Number(env.MAX_UPLOAD_BYTES)
  // Every comparison with NaN is false: a typing error would mean no limit at all.
  if (!(maxBytes > 0)) throw new Error(`MAX_UPLOAD_BYTES is not a number of bytes: ${env.MAX_UPLOAD_BYTES}`)
  return {
    endpoint: env.R2_S3_ENDPOINT.replace(/\/$/, ''),
    accessKeyId: env.R2_ACCESS_KEY_ID,
    secretAccessKey: env.R2_SECRET_ACCESS_KEY,
    maxBytes,
  }
}

/** What a trainer reads about a file above the limit. */
export function tooLarge(maxBytes: number): string {
  const gigabytes = (maxBytes / 1024 ** 3).toFixed(1).replace(/\.0$/, '')
  return `This video is larger than ${gigabytes} GB. Please cut it into shorter parts or compress it.`
}
