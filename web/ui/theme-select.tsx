import clsx from 'clsx'
import { Monitor, Moon, Sun } from 'lucide-react'
import { type ComponentProps, useId } from 'react'
import { createStore } from 'zustand/vanilla'
import * as m from '#messages'
import { keepStored } from '#web/lib/browser-state.ts'
import { useStore } from '#web/lib/use-store.ts'

const THEMES = ['light', 'dark', 'system'] as const
/** `system` follows the device. */
type Theme = (typeof THEMES)[number]

/** Also read by `web/public/theme.js`, before the first paint. */
const THEME_KEY = 'adapt_theme'
/** The media queries of the two `theme-color` tags of index.html while no theme is chosen. */
const SYSTEM_MEDIA = { light: '(prefers-color-scheme: light)', dark: '(prefers-color-scheme: dark)' } as const

const shownTheme = createStore(() => readTheme(document.documentElement.dataset['theme']))
paintBrowserBar(shownTheme.getState())
window.addEventListener('storage', ({ key, newValue }) => {
  if (key === THEME_KEY || key === null) showTheme(readTheme(newValue))
})

function setTheme(theme: Theme): void {
  keepStored(THEME_KEY, theme === 'system' ? null : theme)
  showTheme(theme)
}

/** The chosen theme, in step with other tabs. */
export function useTheme(): Theme {
  return useStore(shownTheme)
}

function readTheme(value: string | null | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system'
}

function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  paintBrowserBar(theme)
  shownTheme.setState(theme)
}

function paintBrowserBar(theme: Theme): void {
  for (const scheme of ['light', 'dark'] as const) {
    const media = theme === 'system' ? SYSTEM_MEDIA[scheme] : theme === scheme ? 'all' : 'not all'
    document.querySelector(`meta[name="theme-color"][data-scheme="${scheme}"]`)?.setAttribute('media', media)
  }
}

const LOOKS = {
  light: { label: m.light(), icon: Sun },
  dark: { label: m.dark(), icon: Moon },
  system: { label: m.system(), icon: Monitor },
} as const

/** Light, Dark or System: the browser's own list behind one icon. */
export function ThemeButton({ className }: { className?: string }) {
  const { icon: Icon, label } = LOOKS[useTheme()]
  return (
    <span
      title={m.theme_label({ label })}
      className={clsx(
        'relative size-10 shrink-0 place-items-center rounded-control text-ink-soft transition-colors hover:bg-sunken',
        'outline-offset-2 outline-brand hover:text-ink has-focus-visible:outline-2',
        className ?? 'grid',
      )}
    >
      <Icon aria-hidden="true" className="size-4.5" />
      <ThemeChoice aria-label={m.theme()} className="absolute inset-0 cursor-pointer appearance-none opacity-0" />
    </span>
  )
}

/** The same with its name beside it, for menus. */
export function ThemeField() {
  const id = useId()
  return (
    <p className="flex min-h-10 items-center justify-between gap-4 px-3 text-sm font-medium text-ink-soft">
      <label htmlFor={id}>{m.theme()}</label>
      <ThemeChoice id={id} className="h-9 rounded-control border border-line-strong bg-surface px-2 text-ink" />
    </p>
  )
}

function ThemeChoice(props: ComponentProps<'select'>) {
  return (
    <select {...props} value={useTheme()} onChange={(event) => setTheme(event.target.value as Theme)}>
      {THEMES.map((theme) => (
        <option key={theme} value={theme} className="bg-raised text-ink">
          {LOOKS[theme].label}
        </option>
      ))}
    </select>
  )
}
