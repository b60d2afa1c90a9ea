import { useState } from 'react'
import { keepChoice, readChoice } from '#web/lib/stored-choice.ts'
import { useMediaQuery } from '#web/lib/use-media-query.ts'

export type ModuleLayout = 'grid' | 'list'

const LAYOUT_KEY = 'adapt_module_layout'

/** Grid or list, as it was chosen on this browser the last time. */
export function useLayout() {
  const [layout, setLayout] = useState<ModuleLayout>(() => (readChoice(LAYOUT_KEY) === 'list' ? 'list' : 'grid'))
  function choose(chosen: ModuleLayout) {
    keepChoice(LAYOUT_KEY, chosen)
    setLayout(chosen)
  }
  return [layout, choose] as const
}

/** How many cards stand side by side. */
export function useColumnCount(layout: ModuleLayout): number {
  const isMedium = useMediaQuery('(min-width: 40rem)')
  const isWide = useMediaQuery('(min-width: 80rem)')
  if (layout === 'list') return 1
  return isWide ? 3 : isMedium ? 2 : 1
}
