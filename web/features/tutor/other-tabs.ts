/** One channel for all modules; a message is a hint to reload, and carries no answer. */
const CHANNEL = 'adapt_tutor'

export interface OtherTabs {
  notify(): void
  close(): void
}

/** Notifies other tabs of this browser that the conversation about a module has changed, and is notified by them. */
export function openOtherTabs(moduleId: string, onChange: () => void): OtherTabs {
  if (typeof BroadcastChannel === 'undefined') return { notify() {}, close() {} }
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }) => {
    if (data === moduleId) onChange()
  }
  return { notify: () => channel.postMessage(moduleId), close: () => channel.close() }
}
