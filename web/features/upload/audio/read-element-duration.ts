/** Browsers that load a file's head slowly are not waited for: then only one side knows a length. */
const READ_WITHIN_MS = 3_000

/** Length of a picked file as a `<video>` reads it; null when it cannot, or when the length is left open. */
export function readElementDurationMs(file: Blob, signal: AbortSignal): Promise<number | null> {
  const video = document.createElement('video')
  const url = URL.createObjectURL(file)
  const within = AbortSignal.any([signal, AbortSignal.timeout(READ_WITHIN_MS)])
  return new Promise<number | null>((resolve) => {
    const end = () => resolve(Number.isFinite(video.duration) ? Math.round(video.duration * 1000) : null)
    video.addEventListener('loadedmetadata', end)
    video.addEventListener('error', end)
    within.addEventListener('abort', end)
    video.preload = 'metadata'
    video.src = url
  }).finally(() => {
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(url)
  })
}
