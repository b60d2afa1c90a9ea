import { Star } from 'lucide-react'
import { TESTIMONIALS } from './landing-content.ts'

const STARS = [1, 2, 3, 4, 5]

export function Testimonials() {
  return (
    <section className="mx-auto w-full max-w-7xl px-4 py-20 sm:px-6 sm:py-28">
      <h2 className="max-w-2xl text-3xl leading-tight font-semibold tracking-[-0.03em] sm:text-5xl">
        Trainers who stopped repeating themselves
      </h2>
      <div className="mt-12 grid gap-5 lg:grid-cols-3">
        {TESTIMONIALS.map(({ quote, name, role }) => (
          <figure key={name} className="flex flex-col rounded-panel border border-line bg-surface p-7 shadow-card">
            <div role="img" aria-label="Rated 5 out of 5 stars" className="flex gap-1 text-accent">
              {STARS.map((star) => (
                <Star key={star} aria-hidden="true" className="size-4 fill-current" />
              ))}
            </div>
            <blockquote className="mt-5 flex-1 text-lg leading-relaxed">{quote}</blockquote>
            <figcaption className="mt-7 flex items-center gap-3 border-t border-line pt-5">
              <span
                aria-hidden="true"
                className="grid size-10 place-items-center rounded-full bg-brand-soft text-sm font-semibold text-brand-ink"
              >
                {initials(name)}
              </span>
              <span>
                <span className="block font-medium">{name}</span>
                <span className="block text-sm text-ink-soft">{role}</span>
              </span>
            </figcaption>
          </figure>
        ))}
      </div>
    </section>
  )
}

function initials(name: string): string {
  return name
    .split(' ')
    .map((word) => word.charAt(0))
    .join('')
}
