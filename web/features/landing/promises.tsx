import { PROMISES } from './landing-content.ts'
import { ProgressPicture, TutorPicture, VideoPicture } from './promise-pictures.tsx'

const PICTURES = { video: VideoPicture, tutor: TutorPicture, progress: ProgressPicture }

export function Promises() {
  return (
    <section className="mx-auto w-full max-w-7xl px-4 py-20 sm:px-6 sm:py-28">
      <h2 className="max-w-2xl text-3xl leading-tight font-semibold tracking-[-0.03em] sm:text-5xl">
        A video that teaches, not one that plays
      </h2>
      <div className="mt-12 grid gap-5 lg:grid-cols-3">
        {PROMISES.map(({ picture, title, text }) => {
          const Picture = PICTURES[picture]
          return (
            <article
              key={title}
              className="flex flex-col overflow-hidden rounded-panel border border-line bg-surface shadow-card"
            >
              <div
                aria-hidden="true"
                className="grid h-56 place-items-center border-b border-line bg-sunken px-8 select-none"
              >
                <Picture />
              </div>
              <div className="p-7">
                <h3 className="text-xl font-semibold">{title}</h3>
                <p className="mt-2 leading-relaxed text-ink-soft">{text}</p>
              </div>
            </article>
          )
        })}
      </div>
    </section>
  )
}
