import { Check, Mic } from 'lucide-react'
import { PROMISES } from './landing-content.ts'

/** Heights of the bars of a spoken sentence, in percent. */
const LOUDNESS = [
  18, 42, 70, 55, 30, 12, 8, 46, 82, 64, 90, 58, 34, 14, 8, 30, 62, 78, 50, 72, 40, 20, 10, 36, 66, 48, 24, 12,
]
const STEP_STARTS = [0, 7, 15, 23]

/** Narration above, the steps found in it below. */
function VideoPicture() {
  return (
    <div className="w-full max-w-xs">
      <div className="flex h-20 items-center gap-[3px]">
        {LOUDNESS.map((height, index) => (
          <span
            key={`${index}-${height}`}
            style={{ height: `${height}%` }}
            className={`flex-1 rounded-full ${index < 10 ? 'bg-brand' : 'bg-line-strong/60'}`}
          />
        ))}
      </div>
      <div className="mt-4 grid grid-cols-[7fr_8fr_8fr_5fr] gap-1">
        {STEP_STARTS.map((start, index) => (
          <div
            key={start}
            className={`h-8 rounded-chip text-center text-xs leading-8 font-medium ${index === 1 ? 'bg-accent-soft text-accent-ink' : index === 0 ? 'bg-brand-soft text-brand-ink' : 'bg-surface text-ink-soft'}`}
          >
            {index + 1}
          </div>
        ))}
      </div>
    </div>
  )
}

function TutorPicture() {
  return (
    <div className="flex w-full max-w-xs flex-col gap-3 text-sm">
      <p className="flex items-center gap-2 self-end rounded-card rounded-br-chip bg-brand px-4 py-2.5 text-on-brand">
        <Mic className="size-4" />
        Where was the key again?
      </p>
      <p className="self-start rounded-card rounded-tl-chip border border-line bg-surface px-4 py-2.5">
        On the resource page, under Keys.{' '}
        <span className="rounded-chip bg-accent-soft px-1.5 py-0.5 text-xs font-medium text-accent-ink tabular-nums">
          03:05
        </span>
      </p>
    </div>
  )
}

function ProgressPicture() {
  return (
    <div className="w-full max-w-xs rounded-card border border-line bg-surface p-4 text-sm">
      {['Open the studio', 'Create the project', 'Add training data'].map((title, index) => (
        <div key={title} className="flex items-center gap-3 py-1.5">
          <span
            className={`grid size-5 place-items-center rounded-full ${index < 2 ? 'bg-brand text-on-brand' : 'border-2 border-line-strong'}`}
          >
            {index < 2 && <Check className="size-3" strokeWidth={3.5} />}
          </span>
          <span className={index < 2 ? 'text-ink-faint line-through' : 'font-medium'}>{title}</span>
        </div>
      ))}
      <div className="mt-3 flex items-center gap-3">
        <span className="h-2 flex-1 overflow-hidden rounded-full bg-line">
          <span className="block h-full w-2/3 rounded-full bg-brand" />
        </span>
        <span className="text-xs font-medium text-ink-soft tabular-nums">67%</span>
      </div>
    </div>
  )
}

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
