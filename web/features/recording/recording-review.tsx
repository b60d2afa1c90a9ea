import { Pencil } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { AlignedStep, Recording, TakeRecording } from '#contract/training/recording.ts'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Badge, type BadgeTone, Card, SectionCard } from '#web/ui/card.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { type PlacedStep, placeSteps, type Surety, suretyOf, type TypedTimes, toRequest } from './placed-steps.ts'

const LOOKS: Record<Surety, { tone: BadgeTone; label: string }> = {
  sure: { tone: 'brand', label: m.place_sure() },
  unsure: { tone: 'warn', label: m.place_unsure() },
  missing: { tone: 'danger', label: m.place_missing() },
  set: { tone: 'brand', label: m.place_set() },
}

/** The times of a step as they stand in fields. */
export interface EditedTimes {
  /** Begins the ids of the fields. */
  id: string
  draft: TypedTimes
  problems: PlacedStep['problems']
  onChange: (change: Partial<TypedTimes>) => void
}

interface RecordingReviewProps {
  recording: Recording
  /** Where the new video is watched. */
  recordingPath: string
  /** Where another one is uploaded. */
  uploadPath: string
  /** The new video, beside which times are set. */
  video?: ReactNode
  /** Another way to find the steps. */
  search?: ReactNode
  renderTimes: (times: EditedTimes) => ReactNode
  /** What waits for the server. */
  busy: 'take' | 'drop' | null
  onTake: (request: TakeRecording) => void
  onDrop: () => void
}

/** Where the steps are in the new recording, for the owner to look at and correct before anything changes. */
export function RecordingReview({
  recording,
  video,
  search,
  renderTimes,
  busy,
  onTake,
  onDrop,
  ...paths
}: RecordingReviewProps) {
  const { steps, added } = recording
  const found = steps.filter(({ proposed }) => proposed !== null)
  const { keptIds, typed, keep, type } = usePlaces(steps)
  const placed = placeSteps(recording, keptIds, typed)
  const placeOf = new Map(placed.map((place) => [place.id, place]))
  return (
    <div className="grid grid-cols-1 gap-6">
      {video}
      {search}
      <SectionCard title={m.places_in_the_new_video()} className="px-4 py-4 sm:px-5">
        <p className="mt-1 text-sm text-ink-soft">{m.steps_found_of({ found: found.length, count: steps.length })}</p>
        <ol className="mt-3 divide-y divide-line">
          {steps.map((step) => (
            <StepPlace
              key={step.id}
              step={step}
              place={placeOf.get(step.id) ?? null}
              typed={typed.get(step.id)}
              onKeep={(isKept) => keep(step.id, isKept)}
              onType={(times) => type(step.id, times)}
              renderTimes={renderTimes}
            />
          ))}
        </ol>
        <p className="mt-3 text-sm text-ink-soft">{m.steps_that_are_not_kept()}</p>
      </SectionCard>
      {added.length > 0 && (
        <SectionCard title={m.only_in_the_new_video()} className="px-4 py-4 sm:px-5">
          <ul className="mt-3 grid grid-cols-1 gap-3 text-sm">
            {added.map(({ start, text }) => (
              <li key={start} className="flex gap-3">
                <span className="shrink-0 text-ink-soft tabular-nums">{formatTime(start)}</span>
                <span dir="auto" className="min-w-0 wrap-anywhere">
                  {text}
                </span>
              </li>
            ))}
          </ul>
        </SectionCard>
      )}
      <Decision {...{ recording, busy, onTake, onDrop }} {...paths} placed={toRequest(placed)} />
    </div>
  )
}

/** Which steps are kept, and the times that a person has typed. */
function usePlaces(steps: readonly AlignedStep[]) {
  // Only of the steps that a person has decided on: those that their images show later are kept as well.
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [typed, setTyped] = useState<ReadonlyMap<string, TypedTimes>>(new Map())
  const kept = steps.filter(({ id, proposed }) => chosen.get(id) ?? proposed !== null)
  const keptIds: ReadonlySet<string> = new Set(kept.map(({ id }) => id))
  const keep = (id: string, isKept: boolean) => setChosen(new Map(chosen).set(id, isKept))
  function type(id: string, times: TypedTimes) {
    setTyped(new Map(typed).set(id, times))
    keep(id, true)
  }
  return { keptIds, typed, keep, type }
}

interface DecisionProps
  extends Pick<RecordingReviewProps, 'recording' | 'recordingPath' | 'uploadPath' | 'busy' | 'onTake' | 'onDrop'> {
  /** Null while a time is wrong. */
  placed: TakeRecording['steps'] | null
}

/** Which of the two videos stays. */
function Decision({
  recording: { moduleId: recordingId, version, steps, mayTake, mayDrop },
  recordingPath,
  uploadPath,
  busy,
  placed,
  onTake,
  onDrop,
}: DecisionProps) {
  const [isAsking, setIsAsking] = useState(false)
  const problem = mayTake ? findProblem(placed, steps.length) : ''
  return (
    <>
      <p className="text-sm text-ink-soft">
        {mayTake ? m.the_old_video_goes_for_good() : m.no_right_to_replace_the_video()}
      </p>
      <p role="status" className="text-sm font-medium text-danger-ink empty:hidden sm:text-end">
        {problem}
      </p>
      <div className="flex flex-col gap-3 sm:flex-row sm:justify-end">
        <ButtonLink to={recordingPath} variant="ghost">
          {m.open_the_new_recording()}
        </ButtonLink>
        {mayDrop && (
          <Button variant="secondary" isBusy={busy === 'drop'} disabled={busy === 'take'} onClick={onDrop}>
            {m.keep_the_old_video()}
          </Button>
        )}
        {!mayTake && <ButtonLink to={uploadPath}>{m.upload_a_new_recording()}</ButtonLink>}
        {mayTake && (
          <Button
            isBusy={busy === 'take'}
            disabled={busy === 'drop' || problem !== ''}
            onClick={() => setIsAsking(true)}
          >
            {m.take_the_new_video()}
          </Button>
        )}
      </div>
      <AlertDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={m.take_the_new_video()}
        description={m.the_old_video_goes_for_good()}
        confirmLabel={m.take_the_new_video()}
        onConfirm={() => placed && onTake({ recordingId, version, steps: placed })}
      />
    </>
  )
}

/** Why the new video cannot be taken; empty where it can. */
function findProblem(placed: DecisionProps['placed'], stepCount: number): string {
  if (placed === null) return m.wrong_time_of_a_step()
  return placed.length === 0 && stepCount > 0 ? m.keep_a_step_to_take() : ''
}

interface StepPlaceProps {
  step: AlignedStep
  /** Null where the step is not kept. */
  place: PlacedStep | null
  typed: TypedTimes | undefined
  onKeep: (isKept: boolean) => void
  onType: (times: TypedTimes) => void
  renderTimes: RecordingReviewProps['renderTimes']
}

function StepPlace({ step, place, typed, onKeep, onType, renderTimes }: StepPlaceProps) {
  const { title, proposed } = step
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const problems: PlacedStep['problems'] = place?.problems ?? {}
  const { start, end } = readPlace(place, proposed)
  const draft = typed ?? { start: formatTime(start ?? 0), end: formatTime(end ?? 0) }
  return (
    <li>
      <div className="flex min-h-11 items-start gap-3 py-2.5">
        <input
          id={id}
          type="checkbox"
          checked={place !== null}
          onChange={({ target }) => onKeep(target.checked)}
          className="mt-1 size-4 shrink-0 accent-brand"
        />
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3 gap-y-1">
          <label htmlFor={id} className="min-w-0 basis-40 grow text-sm font-medium wrap-anywhere">
            <bdi>{title}</bdi>
          </label>
          <span className="flex flex-wrap items-center gap-2 text-sm text-ink-soft tabular-nums">
            {start !== null && end !== null && `${formatTime(start)} – ${formatTime(end)}`}
            <PlaceBadge
              surety={typed === undefined ? suretyOf(step) : 'set'}
              // While the row is open, it stands below its field.
              problem={isOpen ? undefined : (problems.start ?? problems.end)}
            />
          </span>
        </span>
        <Button
          variant="ghost"
          size="small"
          className="-my-1 -me-2 w-8 pointer-coarse:w-11 shrink-0 px-0!"
          aria-expanded={isOpen}
          aria-label={m.change_times_titled({ title })}
          title={m.change_times_titled({ title })}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Pencil aria-hidden="true" className="size-4" />
        </Button>
      </div>
      {isOpen && (
        <div className="@container pb-3">
          {renderTimes({
            id,
            draft,
            problems,
            onChange: (change) => onType({ ...draft, ...change }),
          })}
        </div>
      )}
    </li>
  )
}

function PlaceBadge({ surety, problem }: { surety: Surety; problem: string | undefined }) {
  const { tone, label } = LOOKS[surety]
  if (problem === undefined) return <Badge tone={tone}>{label}</Badge>
  return (
    <Badge tone="danger" className="h-auto! min-h-6 whitespace-normal!">
      {problem}
    </Badge>
  )
}

/** What is shown of the times of a step: where it is kept, or would be. */
function readPlace(place: PlacedStep | null, proposed: AlignedStep['proposed']): Pick<PlacedStep, 'start' | 'end'> {
  if (place !== null) return place
  return { start: proposed?.start ?? null, end: proposed?.end ?? null }
}

interface RecordingStateProps {
  text: string
  children: ReactNode
}

/** What a recording waits for that cannot be looked at yet. */
export function RecordingState({ text, children }: RecordingStateProps) {
  return (
    <Card className="px-4 py-4 sm:px-5">
      <p className="text-sm text-ink-soft">{text}</p>
      <div className="mt-4 flex flex-wrap items-center gap-3">{children}</div>
    </Card>
  )
}
