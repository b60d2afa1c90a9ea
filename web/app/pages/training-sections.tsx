import type { UseQueryResult } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Link, Navigate } from 'react-router-dom'
import { seesDraft } from '#contract/module.ts'
import type { StepsAnswer } from '#contract/step.ts'
import type { TranscriptAnswer } from '#contract/transcript.ts'
import * as m from '#messages'
import type { Playhead } from '#web/features/step-editor/playhead.ts'
import { UnsavedGuard } from '#web/features/step-editor/unsaved-guard.tsx'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { sectionId, useIsWide } from '#web/features/training/workplace.tsx'
import type { TranscriptVideo } from '#web/features/transcript/transcript-reader.tsx'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { trainingPath } from '../shared/paths.ts'
import { type OwnedSteps, TrainingLearners, TrainingProposals, TrainingQuestions } from './owned-panels.tsx'
import { TrainingCuts } from './training-cuts.tsx'
import { TrainingFeedback, TrainingSettings } from './training-main.tsx'
import { TrainingTranscript } from './training-transcript.tsx'

/** Sections for owners, apart from video, steps and tutor. */
const LABELS = {
  transcript: m.transcript(),
  questions: m.questions(),
  learners: m.learners_heading(),
  feedback: m.feedback(),
  settings: m.settings(),
} as const

export type SectionName = keyof typeof LABELS

export function isSection(name: string | undefined): name is SectionName {
  return name !== undefined && Object.hasOwn(LABELS, name)
}

/** Names the browser tab of a section. */
export function titleOf(section: SectionName | null, title: string): string {
  return section === null ? title : `${LABELS[section]} · ${title}`
}

const OpenCount = lazyPart(async () => (await import('#web/features/questions/questions-panel.tsx')).OpenCount)

interface SectionNavProps {
  moduleId: string
  names: readonly SectionName[]
  /** The one that the address names, or the first. */
  currentSection: SectionName
}

/** Links to the sections of a training. The video plays on, and the page stays where it is scrolled to. */
function SectionNav({ moduleId, names, currentSection }: SectionNavProps) {
  const extras: Partial<Record<SectionName, ReactNode>> = {
    questions: (
      // Where its code does not come, the section says so.
      <ErrorBoundary fallback={null}>
        <Suspense>
          <OpenCount moduleId={moduleId} />
        </Suspense>
      </ErrorBoundary>
    ),
  }
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current]')
    // On a phone the links are wider than the screen.
    if (nav.current && current) nav.current.scrollLeft = current.offsetLeft - nav.current.clientWidth / 2
  }, [currentSection])
  return (
    <nav
      ref={nav}
      aria-label={m.sections_of_this_training()}
      className="-mx-4 flex gap-1 overflow-x-auto border-b border-line px-3 sm:mx-0 sm:px-0"
    >
      {names.map((name) => (
        <Link
          key={name}
          to={trainingPath(moduleId, name)}
          preventScrollReset
          aria-current={name === currentSection ? 'page' : undefined}
          className="relative flex h-11 shrink-0 items-center gap-1.5 rounded-t-control px-3 text-sm font-medium whitespace-nowrap text-ink-soft -outline-offset-2 hover:bg-sunken hover:text-ink aria-[current=page]:text-ink aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-2 aria-[current=page]:after:bottom-0 aria-[current=page]:after:h-0.5 aria-[current=page]:after:rounded-full aria-[current=page]:after:bg-brand"
        >
          {LABELS[name]}
          {extras[name]}
        </Link>
      ))}
    </nav>
  )
}

/**
 * Brings the section that the address names into view where sections stand one below the other, and gives its heading
 * the focus. On a wide screen it stands under the video already, and the focus stays at its link.
 * @param isReady whether what stands above it is loaded
 */
function useNamedSection(name: SectionName | null, isReady: boolean): void {
  const isWide = useIsWide()
  useEffect(() => {
    if (name === null || !isReady || isWide) return
    const place = document.getElementById(sectionId(name))
    place?.scrollIntoView({ block: 'start' })
    const heading = place?.querySelector<HTMLElement>('h2') ?? place
    if (heading) heading.tabIndex = -1
    heading?.focus({ preventScroll: true })
  }, [name, isReady, isWide])
}

interface SectionsOptions {
  module: LoadedModule
  /** The one that the address names. */
  section: SectionName | null
  steps: UseQueryResult<StepsAnswer>
  transcript: UseQueryResult<TranscriptAnswer>
  playhead: Playhead & TranscriptVideo
  owned: OwnedSteps
  onPreviewCuts: ComponentProps<typeof TrainingCuts>['onPreview']
}

/** Makes what stands under the video: the sections of an owner, or all of the simple page that others see, also to edit it. */
export function useSections({ module, section, steps, transcript, playhead, owned, onPreviewCuts }: SectionsOptions) {
  const [isLineUnsaved, setIsLineUnsaved] = useState(false)
  const isOwner = module.role === 'owner'
  useNamedSection(isOwner ? section : null, !steps.isLoading)
  const { editing, saves } = owned
  const sections: Partial<Record<SectionName, ReactNode>> = {
    transcript: (
      <div className="grid grid-cols-1 gap-3">
        <TrainingCuts {...{ module, steps, transcript, playhead }} onPreview={onPreviewCuts} />
        <TrainingTranscript {...{ module, steps, transcript }} video={playhead} onUnsavedChange={setIsLineUnsaved} />
      </div>
    ),
    ...(isOwner &&
      module.hasVideo && {
        questions: <TrainingQuestions {...{ module, playhead, owned }} />,
        learners: <TrainingLearners module={module} />,
      }),
    feedback: <TrainingFeedback {...{ module, steps, transcript }} />,
    settings: <TrainingSettings {...{ module, steps }} onSeek={playhead.seekTo} />,
  }
  const currentSection: SectionName = section !== null && section in sections ? section : 'transcript'
  const places = { sections, shown: currentSection }
  const simplePage = !isOwner && section !== null && <Navigate to={trainingPath(module.id)} replace />
  if (!seesDraft(module.role)) return { places, beside: simplePage }
  const nav = isOwner && (
    <SectionNav moduleId={module.id} names={Object.keys(sections).filter(isSection)} currentSection={currentSection} />
  )
  return {
    places: { ...places, nav, proposals: <TrainingProposals module={module} steps={steps.data?.steps} /> },
    beside: (
      <>
        {simplePage}
        {/* One for the whole page: the router asks only one. */}
        <UnsavedGuard
          isUnsaved={editing.hasUnsaved || saves.isSaving || isLineUnsaved}
          onLeave={async () => (await editing.saveAll()) && !isLineUnsaved}
        />
      </>
    ),
  }
}
