import { useEffect, useState } from 'react'
import type { OrphanedCorrection, TranscriptSegment } from '#contract/transcript.ts'
import { diffWords } from '#web/lib/diff-words.ts'
import { escapePattern } from './transcript-search.tsx'
import { useCorrectTranscript } from './use-correct-transcript.ts'

export interface Corrector {
  moduleId: string
  orphaned: readonly OrphanedCorrection[]
  /** Called when quotes of steps have changed too. */
  onCorrected: () => void
  /** Called with whether there are unsaved changes. */
  onUnsavedChange: (isUnsaved: boolean) => void
}

/** Words that were replaced in a line, and are offered to be replaced elsewhere. */
interface Offer {
  correctedId: string
  replacements: readonly Replacement[]
}

interface CorrectionsOptions {
  segments: readonly TranscriptSegment[]
  /** Whether lines can be corrected now; not while more is being transcribed. */
  canCorrect: boolean
  corrector: Corrector
}

export type Corrections = ReturnType<typeof useCorrections>

/**
 * An owner's corrections, line by line. What is typed stays until it is saved or given up: it is saved before another
 * line opens, and kept over a run, in which nothing can be corrected.
 */
export function useCorrections({ segments, canCorrect, corrector }: CorrectionsOptions) {
  const [isAsked, setIsAsked] = useState(false)
  const [offer, setOffer] = useState<Offer | null>(null)
  const { line, segment, isUnsaved, setLine } = useTypedLine(segments, corrector.onUnsavedChange)
  const { isSaving, save } = useLineSaving({ line, segment, corrector, onSaved: close })
  if (isAsked && !canCorrect) {
    setIsAsked(false)
    if (!isUnsaved) setLine(null)
  }

  function close(saved: OpenLine, corrected?: Offer) {
    // Meanwhile another may have been opened.
    setLine((now) => (now?.id === saved.id ? null : now))
    if (corrected !== undefined) setOffer(corrected)
  }
  /** @returns whether it is open: what was typed before may not be saved */
  async function open(next: OpenLine | null): Promise<boolean> {
    if (isUnsaved && !(await save())) return false
    setIsAsked(true)
    setLine(next)
    return true
  }
  function dismiss(replacement: Replacement) {
    setOffer((now) => now && { ...now, replacements: now.replacements.filter((each) => each !== replacement) })
  }
  const isOn = isAsked && canCorrect
  return {
    corrector,
    canCorrect,
    isOn,
    setIsOn: setIsAsked,
    line,
    segment,
    /** What was being typed when a run began; null for nothing. */
    kept: isUnsaved && !isOn ? line : null,
    isSaving,
    offer,
    save,
    dismiss,
    open: (next: TranscriptSegment) => open(openLine(next, next)),
    /** Opens the line at the moment of a correction, with the correction's text. */
    openOrphaned: (orphaned: OrphanedCorrection) => {
      const place = findSaidAt(segments, orphaned)
      return open(place === undefined ? null : openLine(place, orphaned))
    },
    type: (draft: string) => setLine((now) => now && { ...now, draft }),
    giveUp: () => setLine(null),
  }
}

/** The open line, where it is now, and whether something would be lost with it. */
function useTypedLine(segments: readonly TranscriptSegment[], onUnsavedChange: Corrector['onUnsavedChange']) {
  const [line, setLine] = useState<OpenLine | null>(null)
  const segment = line === null ? undefined : findSegmentOf(segments, line)
  const isTyped = line !== null && tidyDraft(line.draft) !== tidyDraft(line.text)
  const isUnsaved = isTyped && tidyDraft(line.draft) !== segment?.text
  useEffect(() => {
    onUnsavedChange(isUnsaved)
    return () => onUnsavedChange(false)
  }, [isUnsaved, onUnsavedChange])
  return { line, segment, isUnsaved, setLine }
}

interface LineSavingOptions {
  line: OpenLine | null
  segment: TranscriptSegment | undefined
  corrector: Corrector
  /** @param corrected what was changed, if anything was */
  onSaved: (line: OpenLine, corrected?: Offer) => void
}

function useLineSaving({ line, segment, corrector, onSaved }: LineSavingOptions) {
  const [saving, setSaving] = useState<Promise<boolean> | null>(null)
  const correct = useCorrectTranscript(corrector.moduleId, corrector.onCorrected)

  /** @returns whether it is saved; the error is already shown if not */
  async function save(): Promise<boolean> {
    if (saving !== null) return saving
    if (line === null || segment === undefined || tidyDraft(line.draft) === '') return false
    const { id, text: was } = segment
    const text = tidyDraft(line.draft)
    if (text === was) {
      onSaved(line)
      return true
    }
    const sent = correct.mutateAsync({ edits: [{ id, was, text }] }).then(
      () => true,
      () => false,
    )
    setSaving(sent)
    const isSaved = await sent
    if (isSaved) onSaved(line, { correctedId: id, replacements: findReplacements(was, text) })
    setSaving(null)
    return isSaved
  }
  return { isSaving: saving !== null, save }
}

/** The line that is open, with what it began with and what has been typed in it. */
export type OpenLine = Pick<TranscriptSegment, 'id' | 'start' | 'end' | 'text'> & { draft: string }

/** Opens a line as it is, or with the text of a correction. */
function openLine({ id, start, end }: TranscriptSegment, { text }: { text: string }): OpenLine {
  return { id, start, end, text, draft: text }
}

/** Finds the segment of an open line; by its moment after another run, which gives segments new ids. */
function findSegmentOf(segments: readonly TranscriptSegment[], line: OpenLine): TranscriptSegment | undefined {
  return segments.find(({ id, start }) => id === line.id && start === line.start) ?? findSaidAt(segments, line)
}

/** What of a draft is saved. */
function tidyDraft(draft: string): string {
  return draft.replace(/\s+/g, ' ').trim()
}

function findSaidAt(segments: readonly TranscriptSegment[], { start, end }: { start: number; end: number }) {
  const middle = (start + end) / 2
  return segments.find((segment) => segment.end >= middle) ?? segments.at(-1)
}

/** Words that a correction put in the place of others. */
export interface Replacement {
  from: string
  to: string
}

export interface OtherPlace {
  segment: TranscriptSegment
  text: string
}

/** Longer texts are rewritten sentences, which occur nowhere else; shorter ones occur everywhere. */
const WORDS_MAX = 4
const FROM_MIN_CHARS = 3

/** The words that a correction replaced by others, where they may have been misrecognised in other places too. */
export function findReplacements(before: string, after: string): Replacement[] {
  const runs = diffWords(before, after)
  return runs.flatMap((run, index) => {
    const next = runs[index + 1]
    if (run.kind !== 'removed' || next?.kind !== 'added') return []
    const [from, to] = [bare(run.text), bare(next.text)]
    const isShort = from.split(' ').length <= WORDS_MAX && to.split(' ').length <= WORDS_MAX
    const isReported = from.length >= FROM_MIN_CHARS && to !== '' && from.toLowerCase() !== to.toLowerCase()
    return isShort && isReported ? [{ from, to }] : []
  })
}

/** Words without the marks around them. */
function bare(text: string): string {
  return /[\p{L}\p{N}](?:.*[\p{L}\p{N}+#])?/su.exec(text)?.[0] ?? ''
}

/** Other lines that have the words that were replaced, in any case, with them replaced. */
export function findOtherPlaces(
  segments: readonly TranscriptSegment[],
  { from, to }: Replacement,
  exceptId: string,
): OtherPlace[] {
  const words = from.split(/\s+/).map(escapePattern)
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}])${words.join(String.raw`\s+`)}(?![\p{L}\p{N}])`, 'giu')
  return segments.flatMap((segment) => {
    if (segment.id === exceptId) return []
    const text = segment.text.replace(pattern, (found, offset: number) => (offset === 0 ? beginLike(found, to) : to))
    return text === segment.text ? [] : [{ segment, text }]
  })
}

/** Keeps the capital letter at the beginning of a line. */
function beginLike(found: string, to: string): string {
  return /^\p{Lu}/u.test(found) ? to.charAt(0).toUpperCase() + to.slice(1) : to
}
