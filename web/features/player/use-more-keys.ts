import { type RefObject, useEffect } from 'react'

/** These keys scroll the page or leave the player while its focus is outside. */
const KEYS_OF_PAGE: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'Home', 'End', 'Tab', 'Enter'])

/**
 * The player's keys also act while the focus is nowhere in particular, by their place on keyboards of other alphabets,
 * and with Ctrl on the time line, which takes all arrows for itself.
 */
export function useMoreKeys(videoRef: RefObject<HTMLVideoElement | null>, hasKeys: boolean): void {
  useEffect(() => {
    const player = videoRef.current?.closest<HTMLElement>('.player') ?? null
    if (!hasKeys || player === null) return
    const over = new AbortController()
    const { signal } = over
    document.addEventListener('keydown', (event) => isStepKey(event, player) && handOver(event, player), {
      signal,
      capture: true,
    })
    document.addEventListener('keydown', (event) => isForPlayer(event, player) && handOver(event, player), { signal })
    return () => over.abort()
  }, [videoRef, hasKeys])
}

function isStepKey({ key, ctrlKey, target }: KeyboardEvent, player: HTMLElement): boolean {
  const isOnSlider = target instanceof HTMLElement && player.contains(target) && target.role === 'slider'
  return isOnSlider && ctrlKey && (key === 'ArrowLeft' || key === 'ArrowRight')
}

function isForPlayer(event: KeyboardEvent, player: HTMLElement): boolean {
  const { target, key } = event
  if (event.defaultPrevented || event.isComposing) return false
  if (target === document.body || target === document.documentElement) return !KEYS_OF_PAGE.has(key)
  return target instanceof Node && player.contains(target) && latinKey(event) !== key
}

function handOver(event: KeyboardEvent, player: HTMLElement): void {
  const { code, repeat, shiftKey, ctrlKey, altKey, metaKey } = event
  const same = { code, repeat, shiftKey, ctrlKey, altKey, metaKey, key: latinKey(event) }
  const isUsed = !player.dispatchEvent(new KeyboardEvent('keydown', { ...same, cancelable: true }))
  if (!isUsed) return
  event.preventDefault()
  event.stopPropagation()
}

/** The letter that a Latin keyboard has at this place, where the pressed one has none of its own. */
export function latinKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const isForeign = key.length === 1 && key.charCodeAt(0) > 127
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  return isForeign && letter !== undefined ? letter.toLowerCase() : key
}
