import { LayoutGrid, List, Search } from 'lucide-react'
import { type Ref, useEffect, useRef, useState } from 'react'
import { MODULE_TITLE_MAX_CHARS } from '#contract/limits.ts'
import * as m from '#messages'
import { keepStored, readStored, useMediaQuery } from '#web/lib/browser-state.ts'
import { Input } from '#web/ui/form-controls.tsx'

const LAYOUTS = [
  { layout: 'grid', label: m.grid_layout(), icon: LayoutGrid },
  { layout: 'list', label: m.list_layout(), icon: List },
] as const

/** Longer than the pause between two letters of a slow typist; the search starts after it. */
const TYPING_PAUSE_MS = 250

interface ModuleToolbarProps {
  /** The search box, which keeps what is being typed to itself. */
  ref: Ref<HTMLInputElement>
  onSearch: (search: string) => void
  layout: ModuleLayout
  onLayout: (layout: ModuleLayout) => void
}

export function ModuleToolbar({ ref, onSearch, layout, onLayout }: ModuleToolbarProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  function searchFor(text: string, { waitMs }: { waitMs: number }) {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onSearch(text.trim()), waitMs)
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div className="relative min-w-48 flex-1 sm:max-w-sm">
        <Search aria-hidden="true" className="absolute top-3 start-3 size-4 text-ink-faint" />
        <Input
          ref={ref}
          type="search"
          aria-label={m.search_titles_and_contents()}
          placeholder={m.search_titles_steps_speech()}
          maxLength={MODULE_TITLE_MAX_CHARS}
          className="ps-9"
          onInput={(event) => {
            const text = event.currentTarget.value
            searchFor(text, { waitMs: text === '' ? 0 : TYPING_PAUSE_MS })
          }}
          onKeyDown={(event) => event.key === 'Enter' && searchFor(event.currentTarget.value, { waitMs: 0 })}
        />
      </div>
      <fieldset className="ms-auto flex rounded-control border border-line bg-sunken p-1">
        <legend className="sr-only">{m.layout_of_modules()}</legend>
        {LAYOUTS.map(({ layout: value, label, icon: Icon }) => (
          <button
            key={value}
            type="button"
            aria-pressed={layout === value}
            onClick={() => onLayout(value)}
            className="inline-flex h-8 items-center gap-2 rounded-chip px-3 pointer-coarse:h-11 text-sm font-medium text-ink-soft aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-card"
          >
            <Icon aria-hidden="true" className="size-4" />
            {label}
          </button>
        ))}
      </fieldset>
    </div>
  )
}

export type ModuleLayout = 'grid' | 'list'

const LAYOUT_KEY = 'adapt_module_layout'

/** Grid or list, as it was chosen on this browser the last time. */
export function useLayout() {
  const [layout, setLayout] = useState<ModuleLayout>(() => (readStored(LAYOUT_KEY) === 'list' ? 'list' : 'grid'))
  function choose(chosen: ModuleLayout) {
    keepStored(LAYOUT_KEY, chosen)
    setLayout(chosen)
  }
  return [layout, choose] as const
}

export function useColumnCount(layout: ModuleLayout): number {
  const isMedium = useMediaQuery('(min-width: 40rem)')
  const isWide = useMediaQuery('(min-width: 80rem)')
  if (layout === 'list') return 1
  return isWide ? 3 : isMedium ? 2 : 1
}
