/** One channel for all modules; a message is a hint to reload, and carries no answer. */
const CHANNEL = 'adapt_tutor'

export interface OtherTabs {
  tell(): void
  close(): void
}

/** Notifies other tabs of this browser that the conversation about a module has changed, and is notified by them. */
export function openOtherTabs(moduleId: string, onNews: () => void): OtherTabs {
  if (typeof BroadcastChannel === 'undefined') return { tell() {}, close() {} }
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }) => {
    if (data === moduleId) onNews()
  }
  return { tell: () => channel.postMessage(moduleId), close: () => channel.close() }
}
