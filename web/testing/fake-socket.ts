/** A WebSocket that a test opens, feeds and drops by hand. */
export class FakeSocket extends EventTarget {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSING = 2
  static readonly CLOSED = 3
  /** In order of creation. */
  static readonly all: FakeSocket[] = []

  readonly url: string
  readonly sent: string[] = []
  readyState: number = FakeSocket.CONNECTING
  binaryType = 'blob'

  constructor(url: string | URL) {
    super()
    this.url = String(url)
    FakeSocket.all.push(this)
  }

  send(text: string) {
    this.sent.push(text)
  }

  close() {
    this.readyState = FakeSocket.CLOSED
  }

  open() {
    this.readyState = FakeSocket.OPEN
    this.dispatchEvent(new Event('open'))
  }

  receive(data: unknown) {
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    this.dispatchEvent(new MessageEvent('message', { data: text }))
  }

  drop(code = 1006) {
    this.readyState = FakeSocket.CLOSED
    this.dispatchEvent(new CloseEvent('close', { code }))
  }
}
