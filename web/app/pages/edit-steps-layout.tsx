import type { UseQueryResult } from '@tanstack/react-query'
import { ArrowLeft, ListPlus, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import type { StepsAnswer } from '#contract/step.ts'
import * as m from '#messages'
import { NoSteps, StepSkeletons } from '#web/features/step/step-panel.tsx'
import { countErrors } from '#web/features/step-editor/auto-save.tsx'
import { ApiError } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { trainingPath } from '../shared/paths.ts'

interface EditStepsToolbarProps {
  stepCount: number
  /** Problems that are shown. */
  errorCount: number
  isSaving: boolean
  hasUnsaved: boolean
  onAdd: () => void
  onSave: () => void
  onDeleteAll: () => void
}

export function EditStepsToolbar(props: EditStepsToolbarProps) {
  const [isAsking, setIsAsking] = useState(false)
  const { stepCount, errorCount } = props
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button variant="secondary" onClick={props.onAdd}>
        <Plus aria-hidden="true" className="size-4" />
        {m.add_step()}
      </Button>
      <Button
        variant="ghost"
        disabled={stepCount === 0}
        onClick={() => setIsAsking(true)}
        className="px-3! text-danger-ink! hover:bg-danger-soft!"
      >
        <Trash2 aria-hidden="true" className="size-4" />
        {m.delete_all_steps()}
      </Button>
      <div className="ms-auto flex items-center gap-3">
        <p role="status" className="text-sm text-ink-soft">
          {props.hasUnsaved && m.unsaved_changes()}
        </p>
        <Button isBusy={props.isSaving} onClick={props.onSave}>
          {errorCount > 0 ? m.save_changes_counterrors({ countErrors: countErrors(errorCount) }) : m.save_changes()}
        </Button>
      </div>
      <AlertDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={m.delete_all_steps_question()}
        description={m.all_steps_are_removed({ count: stepCount })}
        confirmLabel={m.delete_all_steps()}
        onConfirm={props.onDeleteAll}
      />
    </div>
  )
}

/** Answers that mean an empty list, to which the owner may add. */
const EMPTY = new Set(['steps_not_found', 'steps_not_ready', 'processing_failed'])

export function NoStepsToEdit({ query, isGrowing }: { query: UseQueryResult<StepsAnswer>; isGrowing: boolean }) {
  const refusal = query.error instanceof ApiError && EMPTY.has(query.error.code) ? query.error : null
  if (query.isError && refusal === null && query.data === undefined) return <NoSteps query={query} />
  // A list that its owner has emptied is no failure.
  const reason = refusal === null || refusal.code === 'steps_not_found' ? m.there_are_no_steps_yet() : refusal.sentence
  return (
    <Card className="flex flex-col items-center gap-3 px-6 py-10 text-center text-ink-soft">
      <ListPlus aria-hidden="true" className="size-6" />
      <p>{reason}</p>
      <p className="text-sm">
        {isGrowing && `${m.they_appear_here_as_they()} `}
        {m.press_add_step_to_write()}
      </p>
    </Card>
  )
}

interface EditStepsLayoutProps {
  moduleId: string
  title: string
  video: ReactNode
  /** Stays in sight while the list scrolls. */
  toolbar: ReactNode
  children: ReactNode
}

/** The list with its tools on the left, the video on the right; on narrow screens the video comes first. */
export function EditStepsLayout({ moduleId, title, video, toolbar, children }: EditStepsLayoutProps) {
  return (
    <div className="mx-auto w-full max-w-7xl flex-1 px-4 py-6 sm:px-6 lg:py-8">
      <Link
        to={trainingPath(moduleId)}
        className="-ms-1.5 inline-flex min-h-8 items-center gap-1.5 rounded-chip px-1.5 text-sm font-medium text-ink-soft hover:text-ink"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        {m.back_to_training()}
      </Link>
      <h1 className="mt-1 text-2xl font-semibold sm:text-3xl">{m.edit_steps()}</h1>
      <p className="mt-1 mb-5 text-ink-soft">{title}</p>
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem] xl:gap-8">
        <div className="-mx-4 ring-1 ring-line sm:mx-0 sm:rounded-card sm:[--player-radius:var(--radius-card)] lg:sticky lg:top-20 lg:order-2">
          {video}
        </div>
        <div className="min-w-0">
          <div className="sticky top-16 z-20 -mx-4 border-b border-line bg-canvas px-4 py-3 sm:-mx-2 sm:px-2">
            {toolbar}
          </div>
          {/* What the keyboard moves to must not end up under the tools. */}
          <div className="mt-4 [--step-scroll-margin:9rem] [&_:is(a,button,input,textarea)]:scroll-mt-24">
            {children}
          </div>
        </div>
      </div>
    </div>
  )
}

export function EditStepsSkeleton() {
  return (
    <div role="status" className="mx-auto w-full max-w-7xl flex-1 px-4 py-6 sm:px-6 lg:py-8">
      <span className="sr-only">{m.loading_steps()}</span>
      <Skeleton className="mt-9 h-9 w-48" />
      <Skeleton className="mt-3 mb-6 h-5 w-72 max-w-full" />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem] xl:gap-8">
        <Skeleton className="aspect-video w-full rounded-card lg:order-2" />
        <div className="grid grid-cols-1 gap-2.5">
          <Skeleton className="mb-3 h-10 w-full" />
          <StepSkeletons />
        </div>
      </div>
    </div>
  )
}
