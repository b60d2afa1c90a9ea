import clsx from 'clsx'
import { ArrowLeft, Pencil } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { Link } from 'react-router-dom'
import { MODULE_TITLE_MAX_CHARS } from '#contract/limits.ts'
import type { Module } from '#contract/module.ts'
import * as m from '#messages'
import { useRenameModule } from '#web/lib/change-module.ts'
import { Button } from '#web/ui/button.tsx'
import { TitleEditor } from '#web/ui/form-controls.tsx'
import { Skeleton, StillLoading } from '#web/ui/loading.tsx'
import { Workplace } from './workplace.tsx'

const WIDTHS = { wide: 'max-w-(--page-width) lg:pt-5', narrow: 'max-w-[39rem] lg:pt-14' } as const

interface TrainingLayoutProps {
  /** The module's title, or what holds its place. */
  title: ReactNode
  /** Instead of a heading of the title: one that can be changed. */
  heading?: ReactNode
  /** `narrow` for a single card, so that it stands under its title. */
  width?: keyof typeof WIDTHS
  children: ReactNode
}

/** The way back, the title, and below it one of the page's states. */
export function TrainingLayout({ title, heading, width = 'wide', children }: TrainingLayoutProps) {
  return (
    <div className={clsx('mx-auto w-full flex-1 px-4 py-6 sm:px-6 lg:pb-4', WIDTHS[width])}>
      <Link
        to="/upload"
        className="-ms-1.5 inline-flex min-h-8 items-center gap-1.5 rounded-chip px-1.5 text-sm font-medium text-ink-soft hover:text-ink"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        {m.back_to_upload()}
      </Link>
      <div className="mt-1 mb-5 lg:mb-4">
        {heading ?? <h1 className="text-2xl font-semibold sm:text-3xl">{title}</h1>}
      </div>
      {children}
    </div>
  )
}

/** As high as the tutor: a field on a narrow screen, a column on a wide one. */
export function CompanySkeleton() {
  return <Skeleton className="h-15.5 w-full rounded-card lg:h-full" />
}

/** From edge to edge on a phone, a card elsewhere. */
export function VideoPlace({ ref, children }: { ref?: Ref<HTMLDivElement>; children: ReactNode }) {
  return (
    <div
      ref={ref}
      className="-mx-4 scroll-mt-20 ring-1 ring-line sm:mx-0 sm:rounded-card sm:[--player-radius:var(--radius-card)]"
    >
      {children}
    </div>
  )
}

export function TrainingSkeleton() {
  return (
    <TrainingLayout
      title={
        <>
          <span className="sr-only">{m.loading_training()}</span>
          <Skeleton className="h-9 w-64 max-w-full" />
        </>
      }
    >
      <Workplace
        video={<Skeleton className="aspect-video w-full rounded-card" />}
        steps={<Skeleton className="h-40 w-full rounded-card lg:h-full" />}
        company={<CompanySkeleton />}
        sections={{
          transcript: (
            <>
              <StillLoading what={m.this_training()} />
              <Skeleton className="h-40 w-full rounded-card" />
            </>
          ),
        }}
      />
    </TrainingLayout>
  )
}

/** The page's heading, which owners change where it stands. */
export function ModuleTitle({ module }: { module: Pick<Module, 'id' | 'title' | 'role'> }) {
  const { isRenaming, opener, begin, save, cancel } = useRenameModule(module)
  if (isRenaming) {
    return (
      <div className="max-w-2xl">
        <h1 className="sr-only">{module.title}</h1>
        <TitleEditor
          value={module.title}
          label={m.title_of_this_module()}
          maxChars={MODULE_TITLE_MAX_CHARS}
          onSave={save}
          onCancel={cancel}
        />
      </div>
    )
  }
  return (
    <div className="flex min-h-10 items-start gap-1">
      <h1 className="min-w-0 text-2xl font-semibold max-[22.5rem]:text-xl sm:text-3xl">{module.title}</h1>
      {module.role === 'owner' && (
        <Button
          ref={opener}
          variant="ghost"
          size="small"
          className="w-8 shrink-0 px-0! sm:mt-0.5"
          aria-label={m.rename_this_module()}
          onClick={begin}
        >
          <Pencil aria-hidden="true" className="size-4" />
        </Button>
      )}
    </div>
  )
}

/** Where the scenes of a video without speech get names, in the address of its training. */
export const NAMING_HASH = '#naming'

/** `awaited`: the processing screen of a module of which nothing is known yet. */
export type TrainingView = 'loading' | 'unavailable' | 'awaited' | 'failed' | 'naming' | 'workspace'

interface ViewInput {
  /** Undefined until it is known. */
  module: Pick<Module, 'status' | 'failureCode' | 'role'> | undefined
  /** Steps that can be followed now. */
  stepCount: number
  hasFailedToLoad: boolean
  /** The server says that the module does not exist, even if it was loaded before. */
  isGone: boolean
  /** The address says `processing=true`: the owner has just uploaded. */
  isExpectingSteps: boolean
  /** Of the address. */
  hash: string
}

/** Which of the page's states is shown. A failure takes no steps away that are already there. @see specification §4 */
export function chooseView(input: ViewInput): TrainingView {
  const { module, stepCount, hasFailedToLoad, isGone, isExpectingSteps, hash } = input
  if (isGone) return 'unavailable'
  if (module === undefined) {
    if (hasFailedToLoad) return 'unavailable'
    return isExpectingSteps ? 'awaited' : 'loading'
  }
  // Its owner stays there when the first name has made it READY.
  const isNaming = module.failureCode === 'unnamed' || (module.status === 'READY' && hash === NAMING_HASH)
  if (isNaming && module.role === 'owner') return 'naming'
  return module.status === 'FAILED' && stepCount === 0 ? 'failed' : 'workspace'
}
