import clsx from 'clsx'
import { Check, CircleAlert } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { AUTO_SAVE_DELAY_MS, SAVED_LABEL_MS } from '#contract/limits.ts'
import * as m from '#messages'
import { listen } from '#web/lib/browser-state.ts'
import { Spinner } from '#web/ui/loading.tsx'
import type { SaveOutcome } from './save-queue.ts'
import { type DraftEntry, isUnsaved } from './step-drafts.ts'

/** `unsaved`: the draft breaks a rule and stays here. @see specification §4 */
type SaveState = 'idle' | 'unsaved' | 'saving' | 'saved' | 'error'

const STATE_AFTER: Record<SaveOutcome['kind'], SaveState> = {
  saved: 'saved',
  failed: 'error',
  held: 'error',
  dropped: 'idle',
}

interface AutoSaveOptions {
  entry: DraftEntry
  isValid: (entry: DraftEntry) => boolean
  save: () => Promise<SaveOutcome['kind']>
  /** The draft as it is now, also between two draws of the page. */
  readEntry: () => DraftEntry | undefined
}

/** Saves a draft a second after the last key, never two at a time, and only while it is valid. */
export function useAutoSave({ entry, isValid, save, readEntry }: AutoSaveOptions) {
  const [state, setState] = useState<SaveState>('idle')
  const running = useRef<Promise<unknown> | null>(null)

  /** @returns whether nothing is left to save */
  async function saveNow(): Promise<boolean> {
    while (running.current !== null) await running.current
    const now = readEntry()
    if (now === undefined || !isUnsaved(now)) return true
    if (!isValid(now)) {
      setState('unsaved')
      return false
    }
    setState('saving')
    const saving = save()
    running.current = saving
    const outcome = await saving
    running.current = null
    setState(STATE_AFTER[outcome])
    return outcome === 'saved' || outcome === 'dropped'
  }

  const attempt = useEffectEvent(() => void saveNow())
  const hasChanges = isUnsaved(entry)
  useEffect(() => {
    if (!hasChanges) return
    const timer = setTimeout(() => attempt(), AUTO_SAVE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [entry.draft, hasChanges])

  useEffect(() => {
    if (state !== 'saved') return
    const timer = setTimeout(() => setState('idle'), SAVED_LABEL_MS)
    return () => clearTimeout(timer)
  }, [state])

  useEffect(() => {
    if (state === 'error') return listen(window, { online: () => attempt() })
  }, [state])

  const isOver = !hasChanges && (state === 'unsaved' || state === 'error')
  return { state: isOver ? 'idle' : state, saveNow }
}

const WARNING = <CircleAlert aria-hidden="true" className="size-4" />

/** How far the draft is on its way to the server. Its place is kept, so that nothing moves. */
export function SaveStatus({ state, problemCount }: { state: SaveState; problemCount: number }) {
  const { icon, text, tone } = {
    idle: { icon: null, text: '', tone: '' },
    saving: { icon: <Spinner className="size-4 text-brand" />, text: m.saving(), tone: 'text-ink-soft' },
    saved: { icon: <Check aria-hidden="true" className="size-4 text-brand" />, text: m.saved(), tone: 'text-ink-soft' },
    unsaved: {
      icon: WARNING,
      text: problemCount === 0 ? m.unsaved() : m.unsaved_counterrors({ countErrors: countErrors(problemCount) }),
      tone: 'font-medium text-warn-ink',
    },
    error: { icon: WARNING, text: m.not_saved(), tone: 'font-medium text-danger-ink' },
  }[state]
  return (
    <p role="status" className={clsx('flex min-h-6 items-center gap-1.5 text-sm whitespace-nowrap', tone)}>
      {icon}
      {text}
    </p>
  )
}

/** `1 error`, `2 errors`. */
export function countErrors(count: number): string {
  return m.error_count({ count })
}
