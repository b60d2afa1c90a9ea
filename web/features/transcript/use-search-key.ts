import { useEffect, useEffectEvent } from 'react'

/** Where a slash is a letter, or belongs to something that is open. */
const TYPED_INTO = 'input, textarea, select, [contenteditable], [role="menu"], [role="dialog"], dialog'

/** `/` opens the search of the page, as it does elsewhere. */
export function useSearchKey(isOn: boolean, onOpen: () => void): void {
  const open = useEffectEvent(onOpen)
  useEffect(() => {
    if (!isOn) return
    function onKeyDown(event: KeyboardEvent) {
      const { key, target, ctrlKey, altKey, metaKey } = event
      if (key !== '/' || ctrlKey || altKey || metaKey || event.defaultPrevented || event.isComposing) return
      if (target instanceof Element && target.closest(TYPED_INTO) !== null) return
      // The key would become the first letter of the search, and opens Firefox's own search.
      event.preventDefault()
      open()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isOn])
}
