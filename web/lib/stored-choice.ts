/** What a person chose on this browser before; null when it was never chosen, or the browser keeps nothing. */
export function readChoice(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
    return null
  }
}

export function keepChoice(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Full or blocked: the choice lasts as long as the page.
  }
}
