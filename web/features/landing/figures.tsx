import { FIGURES } from './landing-content.ts'

export function Figures() {
  return (
    <section aria-label="Adapt in figures" className="border-y border-line bg-surface">
      <dl className="mx-auto grid max-w-7xl grid-cols-2 gap-px overflow-hidden px-4 sm:px-6 lg:grid-cols-4">
        {FIGURES.map(({ value, label }) => (
          <div key={label} className="flex flex-col-reverse py-8 sm:py-12">
            <dt className="mt-1 text-sm text-ink-soft sm:text-base">{label}</dt>
            <dd className="text-3xl font-semibold tracking-[-0.03em] tabular-nums sm:text-5xl">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
