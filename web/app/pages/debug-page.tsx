import * as m from '#messages'
import { AiUseCard } from '#web/features/debug/ai-use-card.tsx'
import { DebugList } from '#web/features/debug/debug-list.tsx'
import { HealthCard } from '#web/features/debug/health-card.tsx'
import { usePageTitle } from '#web/lib/use-page-title.ts'

/** Which modules are stuck and why: their own for every person, all modules for operators. */
export function DebugPage() {
  usePageTitle(m.debug())
  return (
    <div className="mx-auto w-full max-w-7xl flex-1 px-4 py-10 sm:px-6 sm:py-14">
      <h1 className="text-3xl font-semibold">{m.debug_dashboard()}</h1>
      <p className="mt-2 text-ink-soft">{m.what_became_of_each_module()}</p>
      <div className="mt-8 grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <DebugList />
        <aside aria-label={m.system()} className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-1">
          <HealthCard />
          <AiUseCard />
        </aside>
      </div>
    </div>
  )
}
