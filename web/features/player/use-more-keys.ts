import { type RefObject, useEffect } from 'react'

/** They scroll the page for whoever has not gone into the player. */
const KEYS_OF_PAGE: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'Home', 'End', 'Tab', 'Enter'])

/**
 * The player's keys also act while the focus is nowhere in particular, and by their place on keyboards of other
 * alphabets.
 */
export function useMoreKeys(videoRef: RefObject<HTMLVideoElement | null>, hasKeys: boolean): void {
  useEffect(() => {
    const player = videoRef.current?.closest<HTMLElement>('.player')
    if (!hasKeys || player === null || player === undefined) return
    const over = new AbortController()
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing || player === null || player === undefined) return
      const isNowhere = event.target === document.body || event.target === document.documentElement
      const isInPlayer = event.target instanceof Node && player.contains(event.target)
      const latin = latinKey(event)
      if (isNowhere ? KEYS_OF_PAGE.has(event.key) : !isInPlayer || latin === event.key) return
      const { code, repeat, shiftKey, ctrlKey, altKey, metaKey } = event
      const same = { code, repeat, shiftKey, ctrlKey, altKey, metaKey, key: latin }
      const isUnused = player.dispatchEvent(new KeyboardEvent('keydown', { ...same, cancelable: true }))
      if (!isUnused) event.preventDefault()
    }
    document.addEventListener('keydown', onKey, { signal: over.signal })
    return () => over.abort()
  }, [videoRef, hasKeys])
}

/** The letter that a Latin keyboard has at this place, where the pressed one has none of its own. */
export function latinKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const isForeign = key.length === 1 && key.charCodeAt(0) > 127
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  return isForeign && letter !== undefined ? letter.toLowerCase() : key
}
