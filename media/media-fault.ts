/** What a file can be to blame for: it cannot be read at all, or a part of it is missing. */
export type MediaFaultCode = 'unreadable' | 'truncated'

/** A file that cannot be used. `message` is written for the person who chose it: what is wrong and what to do. */
export class MediaFault extends Error {
  readonly code: MediaFaultCode

  constructor(code: MediaFaultCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'MediaFault'
    this.code = code
  }
}
