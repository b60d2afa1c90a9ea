import { useSyncExternalStore } from 'react'

/** The part of the address from `#` on, where no router watches it. */
export function useAddressHash(): string {
  return useSyncExternalStore(watchHash, () => window.location.hash)
}

function watchHash(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange)
  return () => window.removeEventListener('hashchange', onChange)
}
