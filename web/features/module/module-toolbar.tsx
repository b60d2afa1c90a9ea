import { LayoutGrid, List, Search } from 'lucide-react'
import { Input } from '#web/ui/input.tsx'
import type { ModuleLayout } from './module-card.tsx'

const LAYOUTS = [
  { layout: 'grid', label: 'Grid', icon: LayoutGrid },
  { layout: 'list', label: 'List', icon: List },
] as const

interface ModuleToolbarProps {
  search: string
  onSearch: (search: string) => void
  layout: ModuleLayout
  onLayout: (layout: ModuleLayout) => void
}

export function ModuleToolbar({ search, onSearch, layout, onLayout }: ModuleToolbarProps) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div className="relative min-w-48 flex-1 sm:max-w-sm">
        <Search aria-hidden="true" className="absolute top-3 left-3 size-4 text-ink-faint" />
        <Input
          type="search"
          aria-label="Search modules by title"
          placeholder="Search by title"
          className="pl-9"
          value={search}
          onChange={(event) => onSearch(event.target.value)}
        />
      </div>
      <fieldset className="ml-auto flex rounded-control border border-line bg-sunken p-1">
        <legend className="sr-only">Layout</legend>
        {LAYOUTS.map(({ layout: value, label, icon: Icon }) => (
          <button
            key={value}
            type="button"
            aria-pressed={layout === value}
            onClick={() => onLayout(value)}
            className="inline-flex h-8 items-center gap-2 rounded-chip px-3 text-sm font-medium text-ink-soft aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-card"
          >
            <Icon aria-hidden="true" className="size-4" />
            {label}
          </button>
        ))}
      </fieldset>
    </div>
  )
}
