import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { TranscriptSegment } from '#contract/transcript.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangedText } from '#web/ui/changed-text.tsx'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { LoadFailure } from '#web/ui/notice.tsx'
import { compareLines } from './compare-lines.ts'
import { type Transcribed, transcriptQuery } from './versions-query.ts'

interface OpenedProps {
  label: string
  children: ReactNode
}

/** What is loaded once somebody asks for it. */
function Opened({ label, children }: OpenedProps) {
  const [isOpen, setIsOpen] = useState(false)
  return isOpen ? (
    children
  ) : (
    <div>
      <Button variant="secondary" size="small" onClick={() => setIsOpen(true)}>
        {label}
      </Button>
    </div>
  )
}

interface TranscriptsProps {
  moduleId: string
  before: Transcribed
  after: Transcribed
  /** @param transcripts of both */
  children: (transcripts: readonly TranscriptSegment[][]) => ReactNode
}

function Transcripts({ moduleId, before: first, after: second, children }: TranscriptsProps) {
  const callApi = useApi()
  const queries = [
    useQuery(transcriptQuery(callApi, moduleId, first)),
    useQuery(transcriptQuery(callApi, moduleId, second)),
  ] as const
  const failed = queries.find(({ isLoadingError }) => isLoadingError)
  if (failed !== undefined)
    return (
      <LoadFailure
        message={m.failed_to_load_the_transcript()}
        retryLabel={m.try_again_button()}
        isBusy={failed.isFetching}
        onRetry={() => failed.refetch()}
      />
    )
  const [before, after] = queries.map(({ data }) => data)
  if (before === undefined || after === undefined)
    return <LoadingSkeleton what={m.transcript()} className="h-24 rounded-card" />
  return children([before, after])
}

/** What is said in a version, once somebody asks for it. */
export function VersionTranscript({ moduleId, version }: { moduleId: string; version: Transcribed }) {
  return (
    <Opened label={m.show_the_transcript()}>
      <Transcripts moduleId={moduleId} before={version} after={version}>
        {([lines = []]) => (
          <section aria-label={m.transcript()}>
            <h3 className="text-sm font-semibold">{m.transcript()}</h3>
            <ol className="mt-2 grid max-h-96 grid-cols-1 gap-1.5 overflow-y-auto text-sm">
              {lines.map(({ id, start, text, speaker }) => (
                <TranscriptLine key={id} start={start}>
                  {speaker !== undefined && <b className="font-medium">{speaker}: </b>}
                  {text}
                </TranscriptLine>
              ))}
            </ol>
          </section>
        )}
      </Transcripts>
    </Opened>
  )
}

function TranscriptLine({ start, children }: { start: number; children: ReactNode }) {
  return (
    <li className="flex min-w-0 gap-2.5">
      <span className="shrink-0 text-ink-faint tabular-nums">{formatTime(start)}</span>
      <span dir="auto" className="min-w-0 wrap-anywhere">
        {children}
      </span>
    </li>
  )
}

/** Lines that are shown of a difference: of another recording, each line is another one. */
const LINES_SHOWN_MAX = 100

interface TranscriptChangesProps {
  moduleId: string
  before: Transcribed
  after: Transcribed
}

/** What differs in what is said, line by line, once somebody asks for it. */
export function TranscriptChanges({ moduleId, before, after }: TranscriptChangesProps) {
  return (
    <Opened label={m.show_what_is_said_otherwise()}>
      <Transcripts {...{ moduleId, before, after }}>
        {([old = [], now = []]) => <ChangedLines old={old} now={now} />}
      </Transcripts>
    </Opened>
  )
}

function ChangedLines({ old, now }: { old: readonly TranscriptSegment[]; now: readonly TranscriptSegment[] }) {
  const changes = compareLines(old, now)
  const left = changes.length - LINES_SHOWN_MAX
  return (
    <div className="grid grid-cols-1 gap-2 text-sm">
      <ol aria-label={m.transcript()} className="grid max-h-96 grid-cols-1 gap-1.5 overflow-y-auto">
        {changes.slice(0, LINES_SHOWN_MAX).map(({ id, start, before, after }) => (
          <TranscriptLine key={id} start={start}>
            <ChangedText before={before} after={after} side="both" />
          </TranscriptLine>
        ))}
      </ol>
      {changes.length === 0 && <p className="text-ink-soft">{m.only_times_differ()}</p>}
      {left > 0 && <p className="text-ink-soft">{m.more_lines_differ({ count: left })}</p>}
    </div>
  )
}
