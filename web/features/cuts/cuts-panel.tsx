import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { StepsAnswer } from '#contract/step.ts'
import { lengthOf } from '#contract/time/time-ranges.ts'
import { type Cuts, tidyCuts } from '#contract/time/visible-time.ts'
import type { TranscriptSegment } from '#contract/transcript.ts'
import * as m from '#messages'
import { keepStored, readStored } from '#web/lib/browser-state.ts'
import type { DrawFrames } from '#web/lib/step-images.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { CutEditor, type DraftCut } from './cut-editor.tsx'
import { keepStill } from './keep-still.ts'
import { proposeCuts } from './propose-cuts.ts'
import { sayLength } from './say-length.ts'
import { useSaveCuts } from './use-save-cuts.ts'

/** Less than that is not worth a question. */
const WORTH_ASKING_S = 10

interface CutsPanelProps {
  moduleId: string
  durationS: number
  answer: StepsAnswer
  lines: readonly TranscriptSegment[]
  /** Where the video stands; null while there is none. */
  readTimeS: () => number | null
  /** Opens the video beside the page, to see in which pauses something happens. */
  openFrames: (signal: AbortSignal) => Promise<DrawFrames | null>
  /** Plays without these ranges; null: as it is stored. */
  onPreview: (cuts: Cuts | null, range?: { start: number; end: number }) => void
  onSteps: (answer: StepsAnswer) => void
  onStale: () => void
  /** What else is to be said and done about what is left out. */
  children?: ReactNode
}

/** One line that offers to leave out pauses and false starts, or says what is left out; the rest opens from it. */
export function CutsPanel({ durationS, lines, readTimeS, openFrames, onPreview, children, ...saved }: CutsPanelProps) {
  const { moduleId, answer } = saved
  const { cuts } = answer.meta
  const save = useSaveCuts(saved)
  const { drafts, isLooking, open, close } = useDrafts({ cuts, lines, durationS, openFrames })
  const [isRefused, setIsRefused] = useState(() => readStored(refusedKey(moduleId)) !== null)
  const proposed = proposeCuts(lines, durationS, cuts).map(({ start, end }) => [start, end] as const)
  const ranges = tidyCuts(proposed, durationS)
  const isAsked = cuts.length === 0 && !isRefused && lengthOf(ranges) >= WORTH_ASKING_S
  const isOpen = drafts !== null
  // The buttons of the editor go away with it.
  const line = useFocusWhenFewer<HTMLParagraphElement>(isOpen ? 1 : 0)
  if (!isOpen && !isAsked && cuts.length === 0) return null
  function end() {
    onPreview(null)
    close()
  }
  return (
    <Card className="px-4 py-3">
      <section aria-label={m.left_out_of_the_video()}>
        <div className="flex flex-wrap items-center gap-2">
          <p ref={line} tabIndex={-1} className="min-w-56 flex-1 text-sm">
            {cuts.length > 0
              ? m.time_is_left_out({ time: sayLength(cuts) })
              : m.pauses_could_be_left_out({ time: sayLength(ranges) })}
          </p>
          {!isOpen && (
            <PanelButtons
              hasCuts={cuts.length > 0}
              {...{ isLooking, onOpen: () => void open() }}
              isSaving={save.isPending}
              onPlayAll={() => save.mutate([])}
              onRefuse={() => {
                keepStored(refusedKey(moduleId), '1')
                setIsRefused(true)
              }}
            />
          )}
        </div>
        {!isOpen && cuts.length > 0 && children}
        {isOpen && (
          <>
            <CutEditor
              first={drafts}
              {...{ durationS, readTimeS, onPreview }}
              isBusy={save.isPending}
              onSave={(next) => save.mutate(next, { onSuccess: end })}
              onCancel={end}
            />
            <p className="mt-3 text-sm text-ink-soft">{m.the_file_keeps_what_is_left_out()}</p>
          </>
        )}
      </section>
    </Card>
  )
}

interface PanelButtonsProps {
  hasCuts: boolean
  isLooking: boolean
  isSaving: boolean
  onOpen: () => void
  onPlayAll: () => void
  onRefuse: () => void
}

function PanelButtons({ hasCuts, isLooking, isSaving, onOpen, onPlayAll, onRefuse }: PanelButtonsProps) {
  return (
    <>
      <Button size="small" variant="secondary" isBusy={isLooking} onClick={onOpen}>
        {hasCuts ? m.change_what_is_left_out() : m.show_pauses()}
      </Button>
      {hasCuts ? (
        <Button size="small" variant="ghost" isBusy={isSaving} onClick={onPlayAll}>
          {m.play_all_of_it()}
        </Button>
      ) : (
        <Button size="small" variant="ghost" onClick={onRefuse}>
          {m.not_now()}
        </Button>
      )}
    </>
  )
}

const refusedKey = (moduleId: string) => `adapt_cuts_refused:${moduleId}`

/** What the editor begins with, once the pauses have been looked at; null while it is closed. */
function useDrafts({
  cuts,
  lines,
  durationS,
  openFrames,
}: Pick<CutsPanelProps, 'lines' | 'durationS' | 'openFrames'> & { cuts: Cuts }) {
  const [drafts, setDrafts] = useState<readonly DraftCut[] | null>(null)
  const [isLooking, setIsLooking] = useState(false)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  async function open() {
    stop.current = new AbortController()
    const { signal } = stop.current
    setIsLooking(true)
    const proposed = proposeCuts(lines, durationS, cuts)
    const hasPauses = proposed.some(({ kind }) => kind === 'pause')
    const draw = hasPauses ? await openFrames(signal).catch(() => null) : null
    const kept = await keepStill(proposed, draw)
    if (signal.aborted) return
    // Ends what it loads.
    stop.current.abort()
    const stored = cuts.map(([start, end]) => ({ id: `cut-${start}`, kind: 'own', start, end, isTaken: true }) as const)
    const offered = kept.map((cut) => ({ ...cut, id: `${cut.kind}-${cut.start}`, isTaken: cuts.length === 0 }))
    setDrafts([...stored, ...offered].toSorted((a, b) => a.start - b.start))
    setIsLooking(false)
  }
  return { drafts, isLooking, open, close: () => setDrafts(null) }
}
