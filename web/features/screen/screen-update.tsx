import { ScanText, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { Step } from '#contract/step.ts'
import * as m from '#messages'
import { keepStored, parseStored } from '#web/lib/browser-state.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'

interface ScreenUpdateProps {
  moduleId: string
  steps: readonly Step[]
  /** @param steps as they were before, to be saved */
  onUndo: (steps: readonly Step[]) => Promise<boolean>
}

/** Says once that the screen has changed steps, and takes that back where it is not wanted. */
export function ScreenUpdate({ moduleId, steps, onUndo }: ScreenUpdateProps) {
  const { isSeen, see } = useSeen(moduleId)
  const [isUndoing, setIsUndoing] = useState(false)
  const changed = steps.filter(({ beforeScreen }) => beforeScreen !== null)
  if (changed.every(isSeen)) return null

  async function undo() {
    setIsUndoing(true)
    await onUndo(changed.map((step) => ({ ...step, ...step.beforeScreen, beforeScreen: null })))
    setIsUndoing(false)
  }
  return (
    <Card className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <p role="status" className="flex min-w-0 flex-1 items-center gap-2 text-sm">
        <ScanText aria-hidden="true" className="size-4 shrink-0 text-brand" />
        <span>
          <b>{m.updated_from_the_screen()}</b> {m.steps_updated_from_the_screen({ count: changed.length })}
        </span>
      </p>
      <div className="ms-auto flex flex-wrap gap-2">
        <Button variant="secondary" size="small" isBusy={isUndoing} onClick={undo}>
          {!isUndoing && <Undo2 aria-hidden="true" className="size-4" />}
          {m.undo_action()}
        </Button>
        <Button variant="ghost" size="small" onClick={() => see(changed)}>
          {m.dismiss()}
        </Button>
      </div>
    </Card>
  )
}

/** Which of these changes a person has seen in this browser. */
function useSeen(moduleId: string) {
  const key = `adapt_screen_update:${moduleId}`
  const [seen, setSeen] = useState<ReadonlySet<unknown>>(() => {
    const stored = parseStored(key)
    return new Set(Array.isArray(stored) ? stored : [])
  })
  return {
    isSeen: (step: Step) => seen.has(nameOf(step)),
    see: (steps: readonly Step[]) => {
      const names = steps.map(nameOf)
      keepStored(key, JSON.stringify(names))
      setSeen(new Set(names))
    },
  }
}

/** A step that changes once more is another change. */
function nameOf({ id, commands, title }: Step): string {
  return `${id} ${commands.length} ${title}`
}
