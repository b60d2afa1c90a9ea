/** One for all modules; what is told is a hint to look, never an answer. */
const CHANNEL = 'adapt_tutor'

export interface OtherTabs {
  tell(): void
  close(): void
}

/** Tells other tabs of this browser that the conversation about a module has changed, and hears it from them. */
export function openOtherTabs(moduleId: string, onNews: () => void): OtherTabs {
  if (typeof BroadcastChannel === 'undefined') return { tell() {}, close() {} }
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }) => {
    if (data === moduleId) onNews()
  }
  return { tell: () => channel.postMessage(moduleId), close: () => channel.close() }
}
