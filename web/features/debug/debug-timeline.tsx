import { useQuery } from '@tanstack/react-query'
import type { DebugRun, DebugStage } from '#contract/debug.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { formatDuration } from '#web/lib/format/format-duration.ts'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { Loaded } from '#web/ui/notice.tsx'
import { timelineQuery } from './debug-queries.ts'

/** `11/21/26, 10:04:05 PM` in the reader's time zone. */
const MOMENT_FORMAT = new Intl.DateTimeFormat(m.language_tag(), { dateStyle: 'short', timeStyle: 'medium' })
const formatMoment = (iso: string) => MOMENT_FORMAT.format(new Date(iso))

/** The time from one moment to another. */
export function formatSpan(fromIso: string, toIso: string): string {
  return formatDuration(Math.max(0, Date.parse(toIso) - Date.parse(fromIso)))
}

const TRIGGERS: Record<DebugRun['trigger'], string> = {
  upload: m.upload_page_link(),
  captions: m.captions(),
  reprocess: m.processed_again(),
  recut: m.cut_again(),
}
const OUTCOMES: Record<NonNullable<DebugRun['outcome']>, string> = {
  ready: m.ready_state(),
  failed: m.failed_state(),
  superseded: m.superseded(),
}

export function DebugTimeline({ moduleId }: { moduleId: string }) {
  const query = useQuery(timelineQuery(useApi(), moduleId))
  return (
    <div className="border-t border-line bg-sunken p-4">
      <Loaded
        query={query}
        what={m.the_timeline()}
        skeleton={<LoadingSkeleton what={m.the_timeline()} className="h-20" />}
      >
        {({ runs }) =>
          runs.length === 0 ? (
            <p className="text-sm text-ink-soft">{m.nothing_has_been_done_for()}</p>
          ) : (
            <ol className="grid gap-4">
              {runs.map((run) => (
                <RunItem key={run.run} run={run} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </div>
  )
}

function RunItem({ run }: { run: DebugRun }) {
  const moments: [string, string | null][] = [
    [m.began(), formatMoment(run.startedAt)],
    [m.waited_for_its_turn(), run.admittedAt === null ? m.still_waiting() : formatSpan(run.startedAt, run.admittedAt)],
    [m.last_transcribed(), run.audio.lastTranscribedAt === null ? null : formatMoment(run.audio.lastTranscribedAt)],
    [m.took(), run.endedAt === null ? null : formatSpan(run.startedAt, run.endedAt)],
  ]
  return (
    <li>
      <p className="text-sm font-medium">
        {m.run_number({ run: run.run })} · {TRIGGERS[run.trigger]}
        <span className="font-normal text-ink-soft">
          {' · '}
          {run.outcome === null ? m.at_work() : OUTCOMES[run.outcome]}
          {run.failureCode !== null && ` (${run.failureCode})`}
        </span>
      </p>
      <dl className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-3 text-sm">
        {moments.map(([name, value]) => value !== null && <Fact key={name} name={name} value={value} />)}
        <Fact name={m.audio_fact()} value={formatStage(run.audio, run)} note={formatAttempts(run.audio)} />
        <Fact
          name={m.steps_fact()}
          value={formatStage(run.steps, run)}
          note={
            run.steps.drafts > 0 ? m.drafts_without_the_model({ drafts: run.steps.drafts }) : formatAttempts(run.steps)
          }
        />
      </dl>
    </li>
  )
}

function Fact({ name, value, note = '' }: { name: string; value: string; note?: string }) {
  return (
    <div>
      <dt className="text-xs text-ink-soft">{name}</dt>
      <dd className="tabular-nums">
        {value}
        {note !== '' && <span className="block text-xs text-ink-soft">{note}</span>}
      </dd>
    </div>
  )
}

function formatStage({ done, total }: DebugStage, { endedAt }: DebugRun): string {
  if (total !== null) return m.done_of_total({ done, total })
  return endedAt === null ? m.done_so_far({ done }) : m.nothing_to_do()
}

/** Work that succeeds the first time is tried once each. */
function formatAttempts({ mostTries, tries }: DebugStage): string {
  return mostTries > 1 ? m.tries_at_most({ tries, most: mostTries }) : ''
}
