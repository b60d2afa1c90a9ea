import { type Browser, firefox } from '@playwright/test'
import { ensureFirefox } from '#local/start/tools.ts'

/** What Playwright sends to every new context and page, and Firefox does not know yet (153). */
const UNKNOWN_COMMAND = 'emulation.setMediaFeaturesOverride'

interface BidiSession {
  send: (this: BidiSession, method: string, params: unknown) => Promise<unknown>
}

/** What of Playwright's own is not public: its side of the browser, which lives in this process. */
interface Internals {
  _connection: { toImpl(browser: Browser): { _browserSession: BidiSession } }
}

/** A Firefox as people have it, driven by WebDriver BiDi. */
export async function openFirefox(): Promise<Browser> {
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath: await ensureFirefox(), args: [] })
  const { _connection } = browser as unknown as Internals
  const session = Object.getPrototypeOf(_connection.toImpl(browser)._browserSession) as BidiSession
  const { send } = session
  session.send = function sendKnown(method, params) {
    return method === UNKNOWN_COMMAND ? Promise.resolve({}) : send.call(this, method, params)
  }
  return browser
}
