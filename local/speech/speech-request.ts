import type { IncomingMessage } from 'node:http'

/** A request that cannot be served; answered as OpenAI's API answers, `{ error: { message, type, param, code } }`. */
export class SpeechRequestError extends Error {
  readonly status: number
  readonly code: string
  /** When to ask again; null where that would not help. */
  readonly retryAfterS: number | null

  constructor(status: number, code: string, message: string, retryAfterS: number | null = null) {
    super(message)
    this.retryAfterS = retryAfterS
    this.name = 'SpeechRequestError'
    this.status = status
    this.code = code
  }

  /** The body of the answer. */
  toBody() {
    const type = this.status < 500 ? 'invalid_request_error' : 'server_error'
    return { error: { message: this.message, type, param: null, code: this.code } }
  }
}

/** What a transcription request asks for. `model`, `language`, `prompt` and `temperature` are accepted and ignored. */
export interface SpeechRequest {
  audio: Uint8Array
  /** Words with their times are answered only when they are asked for, as OpenAI does. */
  wantsWords: boolean
  format: SpeechFormat
}

type SpeechFormat = (typeof FORMATS)[number]

const FORMATS = ['json', 'text', 'verbose_json'] as const

/** OpenAI takes 25 MB of audio; the form around it and a little air on top. */
export const LARGEST_BODY_BYTES = 30_000_000

/**
 * Reads a multipart transcription request.
 * @throws {SpeechRequestError} 413 `body_too_large`, 400 `not_multipart`, `file_missing` or `format_unknown`
 */
export async function readSpeechRequest(request: IncomingMessage): Promise<SpeechRequest> {
  const form = await readForm(request)
  const file = form.get('file')
  if (!(file instanceof File)) throw new SpeechRequestError(400, 'file_missing', 'The form has no file named "file".')
  return {
    audio: new Uint8Array(await file.arrayBuffer()),
    wantsWords: [...form.getAll('timestamp_granularities[]'), ...form.getAll('timestamp_granularities')].includes(
      'word',
    ),
    format: readFormat(form.get('response_format') ?? 'json'),
  }
}

async function readForm(request: IncomingMessage): Promise<FormData> {
  const contentType = request.headers['content-type'] ?? ''
  const notMultipart = new SpeechRequestError(400, 'not_multipart', 'The body must be multipart/form-data.')
  if (!contentType.toLowerCase().startsWith('multipart/form-data')) throw notMultipart
  const body = await readBody(request)
  try {
    return await new Response(body, { headers: { 'content-type': contentType } }).formData()
  } catch {
    throw notMultipart
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const tooLarge = new SpeechRequestError(413, 'body_too_large', `The body is over ${LARGEST_BODY_BYTES} bytes.`)
  if (Number(request.headers['content-length']) > LARGEST_BODY_BYTES) throw tooLarge
  const chunks: Buffer[] = []
  let sizeBytes = 0
  // Not destroyed on leaving: the connection has to live for the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > LARGEST_BODY_BYTES) throw tooLarge
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function readFormat(value: FormDataEntryValue): SpeechFormat {
  const format = FORMATS.find((known) => known === value)
  if (format) return format
  throw new SpeechRequestError(400, 'format_unknown', `response_format must be one of ${FORMATS.join(', ')}.`)
}
