import { useQuery } from '@tanstack/react-query'
import type { ReviewThread } from '#contract/review.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { OtherThreads } from './other-threads.tsx'
import { ThreadComments } from './step-thread.tsx'
import { threadsQuery } from './threads-query.ts'
import { type OfModule, VersionNotLoaded } from './version-comparison.tsx'
import { VersionSteps } from './version-steps.tsx'
import { VersionTranscript } from './version-transcript.tsx'
import { versionQuery } from './versions-query.ts'

/** A version as it was: its steps, what is said in it, and what owners said of it before it was published. */
export function VersionReader({ moduleId, posterUrl, number }: OfModule & { number: number }) {
  const callApi = useApi()
  const version = useQuery(versionQuery(callApi, moduleId, number))
  const threads = useQuery(threadsQuery(callApi, moduleId, number))
  const failed = [version, threads].find(({ isLoadingError }) => isLoadingError)
  if (failed !== undefined) return <VersionNotLoaded isBusy={failed.isFetching} onRetry={() => failed.refetch()} />
  if (version.data === undefined || threads.data === undefined)
    return <LoadingSkeleton what={m.the_version()} className="h-40 rounded-card" />
  const { content } = version.data
  const ofStep = new Map(threads.data.map((thread) => [thread.stepId, thread]))
  const renderThread = ({ title }: { title: string }, thread: ReviewThread) => <ThreadComments {...{ title, thread }} />
  return (
    <div className="grid grid-cols-1 gap-5">
      <VersionSteps
        {...{ content, posterUrl }}
        renderStepNote={(step) => {
          const thread = ofStep.get(step.id)
          return thread && renderThread(step, thread)
        }}
      />
      <OtherThreads
        threads={threads.data.filter(({ stepId }) => content.steps.every(({ id }) => id !== stepId))}
        steps={[]}
        renderThread={renderThread}
      />
      {content.captions !== null && (
        <VersionTranscript moduleId={moduleId} version={{ name: number, captions: content.captions }} />
      )}
    </div>
  )
}
