import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { TranscriptSegment } from '#contract/transcript.ts'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangedText } from '#web/ui/changed-text.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { fillMarks } from '#web/ui/fill-marks.tsx'
import type { Correction } from './use-correct-transcript.ts'
import { findOtherPlaces, type OtherPlace, type Replacement } from './use-corrections.ts'

interface OtherPlacesProps {
  replacement: Replacement
  correctedId: string
  segments: readonly TranscriptSegment[]
  onCorrect: (correction: Correction) => void
  onDismiss: () => void
}

/** After a correction: the same words elsewhere, and the new ones for the next time. */
export function OtherPlaces({ replacement, correctedId, segments, onCorrect, onDismiss }: OtherPlacesProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { from, to } = replacement
  const places = findOtherPlaces(segments, replacement, correctedId)
  function apply(correction: Correction) {
    setIsOpen(false)
    onCorrect(correction)
    onDismiss()
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-4 py-2 text-sm">
      <p role="status" className="min-w-0 flex-1 basis-48">
        {places.length > 0
          ? fillMarks(m.words_in_other_places({ from, count: places.length }), MARKED)
          : fillMarks(m.shall_words_be_expected({ to }), MARKED)}
      </p>
      <div className="flex items-center gap-1">
        {places.length > 0 ? (
          <Button variant="secondary" size="small" onClick={() => setIsOpen(true)}>
            {m.look_at_places({ count: places.length })}
          </Button>
        ) : (
          <Button variant="secondary" size="small" onClick={() => apply({ edits: [], glossary: [to] })}>
            {m.add_to_glossary()}
          </Button>
        )}
        <Button
          variant="ghost"
          size="small"
          className="px-2"
          aria-label={m.leave_from_as_it_is({ from })}
          onClick={onDismiss}
        >
          <X aria-hidden="true" className="size-4" />
        </Button>
      </div>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title={m.replace_from_with_to({ from, to })}
        description={m.captions_and_the_quotes_of()}
      >
        <PlacesForm to={to} places={places} onReplace={apply} onCancel={() => setIsOpen(false)} />
      </Dialog>
    </div>
  )
}

const MARKED = { words: (inner: string) => <span className="font-medium">{inner}</span> }

interface PlacesFormProps {
  to: string
  places: readonly OtherPlace[]
  onReplace: (correction: Correction) => void
  onCancel: () => void
}

/** The other places with the same words, each to be ticked. */
function PlacesForm({ to, places, onReplace, onCancel }: PlacesFormProps) {
  const [uncheckedIds, setUncheckedIds] = useState<ReadonlySet<string>>(new Set())
  const [isExpected, setIsExpected] = useState(true)
  const chosen = places.filter((place) => !uncheckedIds.has(place.segment.id))
  function toggle(id: string) {
    const next = new Set(uncheckedIds)
    if (!next.delete(id)) next.add(id)
    setUncheckedIds(next)
  }
  function replace() {
    const edits = chosen.map(({ segment, text }) => ({ id: segment.id, was: segment.text, text }))
    onReplace({ edits, glossary: isExpected ? [to] : [] })
  }
  return (
    <>
      {places.length > 1 && (
        <Tick
          isTicked={uncheckedIds.size === 0}
          onTick={() =>
            setUncheckedIds(uncheckedIds.size === 0 ? new Set(places.map((place) => place.segment.id)) : new Set())
          }
        >
          <span className="font-medium">{m.all_places({ count: places.length })}</span>
        </Tick>
      )}
      <ul className="mt-1 grid max-h-64 gap-1 overflow-y-auto">
        {places.map(({ segment, text }) => (
          <li key={segment.id}>
            <Tick isTicked={!uncheckedIds.has(segment.id)} onTick={() => toggle(segment.id)}>
              <span className="me-2 text-xs text-ink-faint tabular-nums">{formatTime(segment.start)}</span>
              <ChangedText before={segment.text} after={text} side="both" />
            </Tick>
          </li>
        ))}
      </ul>
      <div className="mt-3 border-t border-line pt-3">
        <Tick isTicked={isExpected} onTick={() => setIsExpected(!isExpected)}>
          {m.expect_to_the_next_time({ to })}
        </Tick>
      </div>
      <div className="mt-5 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onCancel}>
          {m.cancel()}
        </Button>
        <Button disabled={chosen.length === 0} onClick={replace}>
          {m.replace_in_places({ count: chosen.length })}
        </Button>
      </div>
    </>
  )
}

function Tick({ isTicked, onTick, children }: { isTicked: boolean; onTick: () => void; children: ReactNode }) {
  return (
    <label className="flex min-h-8 cursor-pointer gap-3 rounded-control px-2 py-1.5 text-sm hover:bg-sunken">
      <input
        type="checkbox"
        checked={isTicked}
        onChange={onTick}
        className="mt-0.5 size-4 shrink-0 cursor-pointer accent-brand"
      />
      <span className="min-w-0">{children}</span>
    </label>
  )
}
