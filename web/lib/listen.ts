/** Listens to events of one target, by their names. @returns ends that */
export function listen<Each extends Event>(
  target: EventTarget,
  listeners: Readonly<Record<string, (event: Each) => void>>,
  options: AddEventListenerOptions = {},
): () => void {
  const over = new AbortController()
  for (const [type, listener] of Object.entries(listeners)) {
    target.addEventListener(type, listener as EventListener, { ...options, signal: over.signal })
  }
  return () => over.abort()
}
