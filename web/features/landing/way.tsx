import { WAY } from './landing-content.ts'

/** Dark in both schemes, as a video is. */
export function Way() {
  return (
    <section className="bg-screen text-on-screen">
      <div className="mx-auto max-w-7xl px-4 py-20 sm:px-6 sm:py-28">
        <h2 className="max-w-2xl text-3xl leading-tight font-semibold tracking-[-0.03em] sm:text-5xl">
          From recording to course in three moves
        </h2>
        <ol className="mt-14 grid gap-10 md:grid-cols-3 md:gap-0">
          {WAY.map(({ title, text }, index) => (
            <li
              key={title}
              className="relative border-white/15 max-md:border-l max-md:pl-6 md:border-t md:pt-8 md:pr-10"
            >
              <span className="absolute size-2.5 rounded-full bg-screen-accent max-md:top-1.5 max-md:-left-[5.5px] md:-top-[5.5px] md:left-0" />
              <p className="text-sm text-on-screen-soft tabular-nums">0{index + 1}</p>
              <h3 className="mt-2 text-2xl font-semibold">{title}</h3>
              <p className="mt-3 leading-relaxed text-on-screen-soft">{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}
