import { type Browser, firefox, type Page } from '@playwright/test'
import { ensureFirefox } from '#local/start/tools.ts'

/** What Playwright sends to every new context and page, and Firefox does not know yet (153). */
const UNKNOWN_COMMAND = 'emulation.setMediaFeaturesOverride'

interface BidiSession {
  send: (this: BidiSession, method: string, params: unknown) => Promise<unknown>
}

/** What of Playwright's own is not public: its side of the browser and of its pages, which lives in this process. */
interface Internals {
  _connection: {
    toImpl(browser: Browser): { _browserSession: BidiSession }
    toImpl(page: Page): { delegate: { _session: BidiSession & { sessionId: string } } }
  }
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

/** Two fingers on a page, which end three times as far apart; Playwright has none of its own. */
export async function pinch(page: Page, { x, y }: { x: number; y: number }): Promise<void> {
  const { _session: session } = (page as unknown as Internals)._connection.toImpl(page).delegate
  const finger = (id: string, side: -1 | 1) => ({
    type: 'pointer',
    id,
    parameters: { pointerType: 'touch' },
    actions: [
      { type: 'pointerMove', x: Math.round(x + side * 20), y: Math.round(y) },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerMove', x: Math.round(x + side * 60), y: Math.round(y), duration: 200 },
      { type: 'pointerUp', button: 0 },
    ],
  })
  const actions = [finger('left', -1), finger('right', 1)]
  await session.send('input.performActions', { context: session.sessionId, actions })
}
