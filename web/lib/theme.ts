import { useSyncExternalStore } from 'react'

export const THEMES = ['light', 'dark', 'system'] as const
/** `system` follows the device. */
export type Theme = (typeof THEMES)[number]

/** Also read by `web/public/theme.js`, before the first paint. */
const THEME_KEY = 'adapt_theme'
/** The media queries of the two `theme-color` tags of index.html while no theme is chosen. */
const SYSTEM_MEDIA = { light: '(prefers-color-scheme: light)', dark: '(prefers-color-scheme: dark)' } as const

const listeners = new Set<() => void>()

export function setTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(THEME_KEY)
    else localStorage.setItem(THEME_KEY, theme)
  } catch (error) {
    console.warn('The theme cannot be kept', error)
  }
  showTheme(theme)
}

/** The chosen theme, in step with other tabs. */
export function useTheme(): Theme {
  return useSyncExternalStore(watchTheme, shownTheme)
}

function shownTheme(): Theme {
  return readTheme(document.documentElement.dataset['theme'])
}

function readTheme(value: string | null | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system'
}

function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  paintBrowserBar(theme)
  for (const listener of listeners) listener()
}

function paintBrowserBar(theme: Theme): void {
  for (const scheme of ['light', 'dark'] as const) {
    const media = theme === 'system' ? SYSTEM_MEDIA[scheme] : theme === scheme ? 'all' : 'not all'
    document.querySelector(`meta[name="theme-color"][data-scheme="${scheme}"]`)?.setAttribute('media', media)
  }
}

function watchTheme(onChange: () => void): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === THEME_KEY || key === null) showTheme(readTheme(newValue))
  }
  paintBrowserBar(shownTheme())
  listeners.add(onChange)
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(onChange)
    window.removeEventListener('storage', onStorage)
  }
}
