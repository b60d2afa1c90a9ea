interface FilePut {
  url: string
  file: Blob
  contentType: string
  onProgress: (sentBytes: number) => void
  signal: AbortSignal
}

/** @returns the HTTP status; 0 when no answer came. */
export type PutFile = (put: FilePut) => Promise<number>

/**
 * Sends the bytes to storage with XMLHttpRequest, because fetch does not tell how much has been sent.
 * `If-None-Match: *` keeps a second send from replacing a file that is already there.
 */
export const putFile: PutFile = ({ url, file, contentType, onProgress, signal }) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.setRequestHeader('content-type', contentType)
    request.setRequestHeader('if-none-match', '*')
    request.upload.onprogress = (event) => onProgress(event.loaded)
    request.onload = () => resolve(request.status)
    request.onerror = () => resolve(0)
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
