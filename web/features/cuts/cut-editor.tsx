import { Play } from 'lucide-react'
import { useId, useState } from 'react'
import { CUTS_MAX } from '#contract/limits.ts'
import { CUT_MIN_S, type Cuts, tidyCuts } from '#contract/time/visible-time.ts'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import type { ProposedCut } from './propose-cuts.ts'
import { sayLength } from './say-length.ts'

/** A range as it is edited. */
export interface DraftCut extends Omit<ProposedCut, 'kind'> {
  id: string
  kind: ProposedCut['kind'] | 'own'
  isTaken: boolean
}

const KINDS = { pause: m.cut_is_pause(), falseStart: m.cut_is_false_start(), own: m.cut_is_own() }

/** How far an end can be dragged, on either side of where it was. */
const DRAG_S = 10
/** Heard before and after a cut, to judge it. */
const AROUND_S = 3

interface CutEditorProps {
  first: readonly DraftCut[]
  durationS: number
  /** Where the video stands; null while there is none. */
  readTimeS: () => number | null
  isBusy: boolean
  /** Plays some of the video without these ranges. */
  onPreview: (cuts: Cuts, range: { start: number; end: number }) => void
  onSave: (cuts: Cuts) => void
  onCancel: () => void
}

/** What is left out of a video, range by range. Nothing changes before it is saved. */
export function CutEditor({ first, durationS, readTimeS, isBusy, onPreview, onSave, onCancel }: CutEditorProps) {
  const [drafts, setDrafts] = useState(first)
  const cuts = takeCuts(drafts, durationS)
  const isTooMany = cuts.length > CUTS_MAX
  const edit = (id: string, change: Partial<DraftCut>) =>
    setDrafts(drafts.map((draft) => (draft.id === id ? { ...draft, ...change } : draft)))
  function addHere() {
    const start = Math.min(readTimeS() ?? 0, durationS - 1)
    const own = { id: `own-${drafts.length}-${start}`, kind: 'own', isTaken: true } as const
    setDrafts([...drafts, { ...own, start, end: Math.min(durationS, start + AROUND_S) }])
  }
  return (
    <>
      {drafts.length === 0 && <p className="mt-2 text-sm">{m.no_pauses_found()}</p>}
      <ol className="mt-3 grid max-h-96 grid-cols-1 gap-2 overflow-y-auto">
        {drafts.map((draft) => (
          <CutRow
            key={draft.id}
            {...{ draft, durationS }}
            onChange={(change) => edit(draft.id, change)}
            onPlay={() =>
              onPreview(takeCuts([...drafts, { ...draft, isTaken: true }], durationS), {
                start: Math.max(0, draft.start - AROUND_S),
                end: draft.end + AROUND_S,
              })
            }
          />
        ))}
      </ol>
      <Button size="small" variant="secondary" className="mt-3" onClick={addHere}>
        {m.leave_out_from_here()}
      </Button>
      <p role="status" className="mt-3 text-sm font-medium">
        {isTooMany ? m.too_many_cuts({ count: CUTS_MAX }) : m.time_is_left_out({ time: sayLength(cuts) })}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="small" isBusy={isBusy} aria-disabled={isTooMany} onClick={() => !isTooMany && onSave(cuts)}>
          {m.save()}
        </Button>
        <Button size="small" variant="ghost" onClick={onCancel}>
          {m.cancel()}
        </Button>
      </div>
    </>
  )
}

function takeCuts(drafts: readonly DraftCut[], durationS: number): Cuts {
  const taken = drafts.filter(({ isTaken }) => isTaken).map(({ start, end }) => [start, end] as const)
  return tidyCuts(taken, durationS)
}

interface CutRowProps {
  draft: DraftCut
  durationS: number
  onChange: (change: Partial<DraftCut>) => void
  onPlay: () => void
}

function CutRow({ draft, durationS, onChange, onPlay }: CutRowProps) {
  const { kind, start, end, isTaken } = draft
  const [span] = useState({ from: Math.max(0, start - DRAG_S), to: Math.min(durationS, end + DRAG_S) })
  const name = m.cut_from_to({ kind: KINDS[kind], start: formatTime(start), end: formatTime(end) })
  return (
    <li className="rounded-control border border-line p-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <label className="flex min-h-8 min-w-0 flex-1 cursor-pointer items-center gap-2.5 text-sm">
          <input
            type="checkbox"
            checked={isTaken}
            onChange={(event) => onChange({ isTaken: event.currentTarget.checked })}
            className="size-5 shrink-0 accent-brand"
          />
          <span className="tabular-nums">{name}</span>
        </label>
        <Button size="small" variant="ghost" aria-label={m.play_without({ cut: name })} onClick={onPlay}>
          <Play aria-hidden="true" className="size-4" />
        </Button>
      </div>
      <div className="grid grid-cols-[auto_1fr] gap-x-2 sm:grid-cols-[auto_1fr_auto_1fr]">
        <EndSlider
          label={m.start()}
          {...span}
          value={start}
          onChange={(to) => onChange({ start: Math.min(to, end - CUT_MIN_S), isTaken: true })}
        />
        <EndSlider
          label={m.end()}
          {...span}
          value={end}
          onChange={(to) => onChange({ end: Math.max(to, start + CUT_MIN_S), isTaken: true })}
        />
      </div>
    </li>
  )
}

interface EndSliderProps {
  label: string
  from: number
  to: number
  value: number
  onChange: (seconds: number) => void
}

function EndSlider({ label, from, to, value, onChange }: EndSliderProps) {
  const id = useId()
  return (
    <div className="contents text-xs text-ink-soft">
      <label htmlFor={id} className="flex min-h-8 items-center">
        {label}
      </label>
      <input
        id={id}
        type="range"
        min={from}
        max={to}
        step="0.1"
        value={value}
        aria-valuetext={formatTime(value)}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
        className="h-6 min-w-0 self-center accent-brand"
      />
    </div>
  )
}
