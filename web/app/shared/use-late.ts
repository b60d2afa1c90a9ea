import { useEffect, useState } from 'react'

/**
 * Loads a part of the page after it. One that does not come leaves the page as it is.
 * @param load false where there is nothing to load; called once, when the page opens
 */
export function useLate<Part extends object>(load: false | (() => Promise<Part | null>)): Part | null {
  const [part, setPart] = useState<Part | null>(null)
  useEffect(() => {
    if (load) load().then(setPart, () => {})
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the page opens
  }, [])
  return part
}
