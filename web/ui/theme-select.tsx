import clsx from 'clsx'
import { Monitor, Moon, Sun } from 'lucide-react'
import { type ComponentProps, useId } from 'react'
import { setTheme, THEMES, type Theme, useTheme } from '#web/lib/theme.ts'

const LOOKS = {
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
  system: { label: 'System', icon: Monitor },
} as const

/** Light, Dark or System: the browser's own list behind one icon. */
export function ThemeButton({ className }: { className?: string }) {
  const { icon: Icon, label } = LOOKS[useTheme()]
  return (
    <span
      title={`Theme: ${label}`}
      className={clsx(
        'relative size-10 shrink-0 place-items-center rounded-control text-ink-soft transition-colors hover:bg-sunken',
        'outline-offset-2 outline-brand hover:text-ink has-focus-visible:outline-2',
        className ?? 'grid',
      )}
    >
      <Icon aria-hidden="true" className="size-4.5" />
      <ThemeChoice aria-label="Theme" className="absolute inset-0 cursor-pointer appearance-none opacity-0" />
    </span>
  )
}

/** The same with its name beside it, for menus. */
export function ThemeField() {
  const id = useId()
  return (
    <p className="flex min-h-10 items-center justify-between gap-4 px-3 text-sm font-medium text-ink-soft">
      <label htmlFor={id}>Theme</label>
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
