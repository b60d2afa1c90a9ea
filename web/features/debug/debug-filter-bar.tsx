import clsx from 'clsx'
import { DEBUG_FILTERS, type DebugFilter } from './debug-queries.ts'

interface DebugFilterBarProps {
  filter: DebugFilter
  onChange: (filter: DebugFilter) => void
}

/** Which modules are listed. */
export function DebugFilterBar({ filter, onChange }: DebugFilterBarProps) {
  return (
    <fieldset className="flex flex-wrap gap-1 rounded-control bg-sunken p-1">
      <legend className="sr-only">Show</legend>
      {(Object.keys(DEBUG_FILTERS) as DebugFilter[]).map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === filter}
          onClick={() => onChange(each)}
          className={clsx(
            'h-8 rounded-chip px-3 text-sm font-medium transition-colors',
            each === filter ? 'bg-surface text-ink shadow-card' : 'text-ink-soft hover:text-ink',
          )}
        >
          {DEBUG_FILTERS[each].label}
        </button>
      ))}
    </fieldset>
  )
}
