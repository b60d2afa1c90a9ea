import type { ReviewThread } from '#contract/review.ts'
import type { Step } from '#contract/step.ts'
import { compareVersions } from '#contract/training/compare-versions.ts'
import type { VersionContent } from '#contract/version.ts'
import { ChangeList } from './change-list.tsx'
import { OtherThreads } from './other-threads.tsx'
import { type Commenter, StepThread, ThreadComments } from './step-thread.tsx'
import { type RenderStepNote, VersionSteps } from './version-steps.tsx'
import { TranscriptChanges, VersionTranscript } from './version-transcript.tsx'

interface ReviewedDraftProps {
  moduleId: string
  posterUrl: string | null
  /** Number of the version that learners see. */
  published: number
  /** What learners see; null before the first version. */
  before: VersionContent | null
  content: VersionContent
  threads: readonly ReviewThread[]
  /** Who comments in this review; null where nobody else is asked. */
  commenter: Commenter | null
}

/** What is new in a draft, with what owners say of its steps. */
export function ReviewedDraft({ moduleId, posterUrl, published, before, content, ...review }: ReviewedDraftProps) {
  const { threads, commenter } = review
  const ofStep = new Map(threads.map((thread) => [thread.stepId, thread]))
  const renderThread = (step: Pick<Step, 'id' | 'title'>, thread: ReviewThread | undefined) => {
    if (commenter !== null) return <StepThread {...{ step, thread }} {...commenter} />
    return thread && <ThreadComments title={step.title} thread={thread} />
  }
  const renderStepNote: RenderStepNote = (step) => renderThread(step, ofStep.get(step.id))
  const shown = before === null ? content.steps : compareVersions(before, content).steps
  const others = threads.filter(({ stepId }) => shown.every(({ id }) => id !== stepId))
  const draft = { name: 'draft', captions: content.captions } as const
  return (
    <>
      {before === null ? (
        <>
          <VersionSteps {...{ content, posterUrl, renderStepNote }} />
          {content.captions !== null && <VersionTranscript moduleId={moduleId} version={draft} />}
        </>
      ) : (
        <ChangeList
          {...{ before, posterUrl, renderStepNote }}
          after={content}
          transcript={
            <TranscriptChanges
              moduleId={moduleId}
              before={{ name: published, captions: before.captions }}
              after={draft}
            />
          }
        />
      )}
      <OtherThreads threads={others} steps={content.steps} renderThread={renderThread} />
    </>
  )
}
