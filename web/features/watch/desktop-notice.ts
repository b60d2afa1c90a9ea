import { useSyncExternalStore } from 'react'
import { createStore } from 'zustand/vanilla'
import { keepChoice, readChoice } from '#web/lib/browser-state.ts'

const CHOICE_KEY = 'adapt_notify_when_ready'

/** `blocked`: the browser refuses, and only its own settings change that. */
export type NoticeState = 'unsupported' | 'blocked' | 'off' | 'on'

/** Counts the switches, since the browser publishes no change of its permission. */
const switches = createStore(() => 0)

function readState(): NoticeState {
  if (!('Notification' in window)) return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  return Notification.permission === 'granted' && readChoice(CHOICE_KEY) === 'on' ? 'on' : 'off'
}

export function useNoticeState(): NoticeState {
  return useSyncExternalStore(switches.subscribe, readState)
}

/** Asks the browser for leave where it has not been given; to be called from a click. */
export async function turnNotices(to: 'on' | 'off'): Promise<void> {
  keepChoice(CHOICE_KEY, to)
  if (to === 'on' && Notification.permission === 'default') await Notification.requestPermission()
  switches.setState((count) => count + 1)
}

interface DesktopNotice {
  title: string
  body: string
  /** Two of one tag are one. */
  tag: string
  onOpen: () => void
}

/** Shows a notification of the browser if the person has turned them on and the page is hidden. */
export function showDesktopNotice({ title, body, tag, onOpen }: DesktopNotice): void {
  if (readState() !== 'on' || document.visibilityState === 'visible') return
  try {
    const notice = new Notification(title, { body, tag })
    notice.onclick = () => {
      window.focus()
      notice.close()
      onOpen()
    }
  } catch {
    // Android allows them in service workers only; the toast is still shown.
  }
}
