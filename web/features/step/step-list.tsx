import clsx from 'clsx'
import { Check } from 'lucide-react'
import { type MouseEvent, type ReactNode, Suspense, useState } from 'react'
import { findHeading } from '#contract/chapters.ts'
import { imageUrl, largeName } from '#contract/image-url.ts'
import type { Callout, SharedStep, Step } from '#contract/step.ts'
import * as m from '#messages'
import { formatTime, speakTime } from '#web/lib/format/format-time.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { Badge } from '#web/ui/card.tsx'
import { KeepPlace } from './growing-steps.tsx'
import type { StepCommandsProps } from './step-commands.tsx'

/** What a list of steps shows of each, for owners and for visitors with the link alike. Seconds. */
export type ListedStep = Pick<
  Step,
  | 'id'
  | 'title'
  | 'description'
  | 'start'
  | 'end'
  | 'isDraft'
  | 'chapter'
  | 'callouts'
  | 'commands'
  | 'focus'
  | 'image'
  | 'imageText'
> &
  Pick<SharedStep, 'language'>

export function listSharedStep({ timestamp, ...step }: SharedStep): ListedStep {
  return { ...step, start: timestamp, end: timestamp + step.duration, isDraft: false }
}

/** Address of the poster, from which those of all images come; null where there are none. */
type PosterUrl = { posterUrl: string | null }

interface StepListProps extends PosterUrl {
  steps: readonly ListedStep[]
  currentId: string | null
  /** Called with the step that is pressed, from the moment on that is meant. */
  onJump: (step: ListedStep) => void
  /** Which steps the learner is through with. */
  isFinished?: ((step: ListedStep) => boolean) | undefined
  /** What each says in another language, to be shown beside it. */
  others?: Others | undefined
  /** What a step has where learners report from it. */
  reporting?: ((step: ListedStep, number: number) => Pick<StepCardProps, 'badge' | 'mark' | 'after'>) | undefined
}

interface Others {
  /** BCP 47 tag; null where it is not known. */
  language: string | null
  steps: ReadonlyMap<string, Pick<Step, 'title' | 'description'>>
}

/** Steps in order. Each is one large button that jumps to its moment; `#step-N` leads to the N-th. */
export function StepList({ steps, posterUrl, currentId, onJump, isFinished, others, reporting }: StepListProps) {
  const isNew = useNewcomers(steps)
  return (
    <KeepPlace>
      <ol className="grid grid-cols-1 gap-2.5">
        {steps.map((step, index) => (
          <li
            key={step.id}
            id={`step-${index + 1}`}
            lang={step.language}
            className="scroll-mt-(--step-scroll-margin,5rem)"
          >
            <ChapterHeading title={findHeading(steps, index)} />
            <StepCard
              {...{ step, posterUrl }}
              number={index + 1}
              isCurrent={step.id === currentId}
              isNew={isNew(step)}
              isFinished={isFinished?.(step) ?? false}
              onJump={(seconds) => onJump({ ...step, start: seconds })}
              {...reporting?.(step, index + 1)}
            >
              {others && <OtherText others={others} id={step.id} />}
            </StepCard>
          </li>
        ))}
      </ol>
    </KeepPlace>
  )
}

function OtherText({ others: { language, steps }, id }: { others: Others; id: string }) {
  const step = steps.get(id)
  if (step === undefined) return null
  return (
    <div lang={language ?? undefined} dir="auto" className="mt-2.5 border-s-2 border-line ps-3 text-sm leading-relaxed">
      <p className="font-medium">{step.title}</p>
      <p className="text-ink-soft">{step.description}</p>
    </div>
  )
}

/**
 * Stands over the first step of a chapter, or over what comes after one.
 * @param props.title as `findHeading` has it
 */
export function ChapterHeading({ title, children }: { title: string | null | undefined; children?: ReactNode }) {
  if (title === undefined) return null
  if (title === null) return <hr className="mt-3 mb-5 border-line" />
  return (
    <div className="flex items-start gap-2 px-1 pt-4 pb-2.5 [li:first-child_&]:pt-0">
      <h3 className="min-w-0 flex-1 font-semibold wrap-anywhere">{title}</h3>
      {children}
    </div>
  )
}

/** Finds the steps that came while the list was shown. */
export function useNewcomers(steps: readonly ListedStep[]): (step: ListedStep) => boolean {
  const [firstIds] = useState(() => new Set(steps.map((step) => step.id)))
  return (step) => !firstIds.has(step.id)
}

interface StepCardProps extends PosterUrl {
  step: ListedStep
  number: number
  isCurrent: boolean
  /** Came while the list was shown. */
  isNew: boolean
  /** The learner is through with it. */
  isFinished?: boolean
  onJump: (seconds: number) => void
  /** Said of the step beside its title. */
  badge?: ReactNode
  /** Said of it below the title, which would else have no room on a phone. */
  mark?: ReactNode
  /** Buttons of those who may change the step; they lie above the large one. */
  actions?: ReactNode
  /** Below the rest. */
  children?: ReactNode
  /** Below all else. */
  after?: ReactNode
}

/** One step: its number, what to do, how it looks, and when. */
export function StepCard({ step, number, isCurrent, isNew, isFinished = false, onJump, ...extras }: StepCardProps) {
  const { posterUrl, badge, mark, actions, children, after } = extras
  return (
    <div
      className={clsx(
        'step-card group relative flex flex-wrap gap-x-3.5 rounded-card border p-4 shadow-card sm:gap-x-4',
        'transition-[border-color,background-color,box-shadow] duration-150',
        'has-[.step-jump:focus-visible]:outline-2 has-[.step-jump:focus-visible]:outline-offset-2',
        'has-[.step-jump:focus-visible]:outline-brand',
        isNew && 'animate-rise',
        isCurrent
          ? 'border-accent bg-accent-soft'
          : 'border-line bg-surface hover:border-line-strong hover:shadow-lift',
      )}
    >
      <Callouts callouts={step.callouts} className="step-callouts mb-3 basis-full" />
      <StepNumber {...{ number, isCurrent, isFinished }} />
      <div className="step-body min-w-0 flex-1">
        <div
          className={clsx('step-head flex items-start gap-x-3 gap-y-1.5', actions !== undefined && '@max-xl:flex-wrap')}
        >
          <button
            type="button"
            aria-current={isCurrent ? 'step' : undefined}
            onClick={() => onJump(step.start)}
            className={clsx(
              'step-jump min-w-0 flex-1 pt-1 text-start leading-snug font-semibold focus-visible:outline-none',
              'after:absolute after:inset-0 after:rounded-card',
              actions !== undefined && '@max-xl:basis-full',
            )}
          >
            <span className="sr-only">{m.step_number({ number })} </span>
            <bdi>{step.title}</bdi>
            <span className="sr-only">
              {isFinished
                ? m.starts_at_finished({ start: speakTime(step.start) })
                : m.at_start({ start: speakTime(step.start) })}
            </span>
          </button>
          <StepBadges isDraft={step.isDraft}>{badge}</StepBadges>
          <StepTime seconds={step.start} isCurrent={isCurrent} />
          {actions !== undefined && (
            <div className="step-actions relative z-1 -my-0.5 -me-1.5 flex items-center @max-xl:ms-auto">{actions}</div>
          )}
        </div>
        {mark && <p className="mt-1.5">{mark}</p>}
        <StepImage {...{ step, posterUrl }} className="step-image mt-2.5" />
        {step.description !== '' && (
          <p dir="auto" className="step-text mt-1.5 text-sm leading-relaxed text-ink-soft">
            {step.description}
          </p>
        )}
        <Commands commands={step.commands} onPlay={onJump} />
        {children}
        {after}
      </div>
    </div>
  )
}

/** Only steps with commands load it: the share page has no script to spare. A failure leaves the rest of the step. */
const StepCommands = lazyPart<StepCommandsProps>(() =>
  import('./step-commands.tsx').then(
    (part) => part.StepCommands,
    () => () => null,
  ),
)

/** What is typed in a step. Nothing where there is none. */
export function Commands(props: StepCommandsProps) {
  return (
    props.commands.length > 0 && (
      <Suspense>
        <StepCommands {...props} />
      </Suspense>
    )
  )
}

function StepBadges({ isDraft, children }: { isDraft: boolean; children: ReactNode }) {
  return (
    <div className="step-badges contents">
      {children}
      {isDraft && (
        <Badge tone="warn" className="mt-0.5">
          {m.draft()}
        </Badge>
      )}
    </div>
  )
}

const KINDS = { warning: m.page_warning(), tool: m.page_tool(), part: m.page_part(), tip: m.page_tip() }

interface StepImageProps extends PosterUrl {
  step: Pick<ListedStep, 'image' | 'imageText'>
  className: string
}

/** What is seen in a step; it has its place before it is loaded. Nothing where there is none. */
export function StepImage({ step: { image, imageText }, posterUrl, className }: StepImageProps) {
  if (!image || !posterUrl) return null
  const src = imageUrl(posterUrl, image)
  const large = image === 'poster' ? src : imageUrl(posterUrl, largeName(image))
  return (
    <a
      href={large}
      target="_blank"
      aria-label={imageText === '' ? m.enlarge_the_image() : `${m.enlarge_the_image()}: ${imageText}`}
      onClick={enlarge}
      className={clsx('relative z-1 block w-full max-w-80 cursor-zoom-in', className)}
    >
      <img
        src={src}
        srcSet={image === 'poster' ? undefined : `${src} 320w, ${large} 960w`}
        sizes="18rem"
        width="320"
        height="180"
        loading="lazy"
        alt={imageText}
        className="aspect-video w-full rounded-control bg-sunken object-contain"
      />
    </a>
  )
}

/** In place; where that cannot be loaded, as the link that it is. */
async function enlarge(event: MouseEvent<HTMLAnchorElement>) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const { href } = event.currentTarget
  const part = await import('#web/lib/zoom/show-large-image.ts').catch(() => null)
  if (part === null) window.open(href)
  else part.showLargeImage(href)
}

/** What a learner is to know before a step. Nothing where there is none. */
export function Callouts({ callouts, className }: { callouts: readonly Callout[]; className?: string }) {
  if (callouts.length === 0) return null
  return (
    <div className={clsx('grid gap-1.5 text-sm', className)}>
      {callouts.map(({ kind, text }, index) => (
        <p
          key={index}
          className={clsx('rounded-chip px-2.5 py-1', kind === 'warning' ? 'bg-warn-soft text-warn-ink' : 'bg-sunken')}
        >
          <b>{KINDS[kind]}</b> <bdi>{text}</bdi>
        </p>
      ))}
    </div>
  )
}

/** Said in the button's name, so this is for the eyes. */
function StepNumber({ number, isCurrent, isFinished }: Pick<StepCardProps, 'number' | 'isCurrent' | 'isFinished'>) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'step-number relative inline-flex size-8 shrink-0 items-center justify-center rounded-full text-sm font-semibold tabular-nums',
        isCurrent ? 'bg-accent-ink text-surface' : 'bg-sunken text-ink-soft group-hover:text-ink',
      )}
    >
      {number}
      {isFinished && (
        <span className="absolute -right-1 -bottom-1 grid size-4.5 animate-fade-in place-items-center rounded-full border-2 border-surface bg-brand text-on-brand">
          <Check className="size-3" strokeWidth={3.5} />
        </span>
      )}
    </span>
  )
}

/** The spoken form is part of the button's name, so this one is for the eyes. */
function StepTime({ seconds, isCurrent }: { seconds: number; isCurrent: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'step-time mt-0.5 inline-flex h-6 shrink-0 items-center rounded-chip px-2 text-xs font-semibold tabular-nums',
        isCurrent ? 'bg-accent-ink text-surface' : 'bg-brand-soft text-brand-ink',
      )}
    >
      {formatTime(seconds)}
    </span>
  )
}
