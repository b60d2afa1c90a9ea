import { useEffect, useEffectEvent, useRef } from 'react'
import { intersect, lengthOf } from '#contract/time/time-ranges.ts'
import type { Cuts } from '#contract/time/visible-time.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import type { LoadedModule } from '#web/lib/module-cache.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { Button } from '#web/ui/button.tsx'
import { copyQueue, useCopyQueue } from './copy-queue.ts'
import { sayWait } from './copy-wait.ts'
import { useIsUploading } from './small-copies.tsx'

/** Cuts are stored to the millisecond. */
const SAME_S = 0.01

interface CopyWithoutCutsProps {
  module: Pick<LoadedModule, 'id' | 'smallCopy' | 'smallCopyLacksS' | 'smallCopyMayLack'>
  cuts: Cuts
  /** The module has changed. */
  onMade: () => void
}

/** Says whether the small copy of a training still has what is left out of it, and offers to make it without. */
export function CopyWithoutCuts({ module, cuts, onMade }: CopyWithoutCutsProps) {
  const { id, smallCopy, smallCopyLacksS, smallCopyMayLack } = module
  const callApi = useApi()
  const isUploading = useIsUploading()
  const { isAtWork, percent, wait, hasFailed } = useCopyWork(id, onMade)
  const hasMore = (left: Cuts) => smallCopy !== null && lengthOf(left) - smallCopyLacksS > SAME_S
  // Learners have the same copy, and may see a version that leaves out less.
  const unshown = intersect(cuts, smallCopyMayLack ?? [])
  const isOffered = hasMore(unshown)
  const sentence = useFocusWhenFewer<HTMLParagraphElement>(isOffered && !isAtWork ? 1 : 0)
  if (smallCopy === null && !isAtWork) return null
  function say(): string {
    if (isAtWork) return m.small_copy_is_made({ percent })
    return hasMore(cuts) ? m.small_copy_has_what_is_left_out() : m.small_copy_lacks_what_is_left_out()
  }
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2 border-t border-line pt-2">
      <p ref={sentence} tabIndex={-1} className="min-w-56 flex-1 text-sm text-ink-soft tabular-nums">
        {say()} {hasFailed && <span role="status">{m.small_copy_not_made()}</span>}
        {isAtWork && <span className="block">{m.small_copies_go_on()}</span>}
        {isAtWork && (
          <span role="status" className="block font-medium text-ink">
            {wait && sayWait(wait)}
          </span>
        )}
      </p>
      {isOffered && !isAtWork && (
        <Button
          size="small"
          variant="secondary"
          onClick={() => copyQueue.add([id], { callApi, isUploading }, { cuts: unshown })}
        >
          {m.make_small_copy_without_it()}
        </Button>
      )}
    </div>
  )
}

/** How far this browser is with the small copy of a training. */
function useCopyWork(moduleId: string, onMade: () => void) {
  const { moduleIds, percent, wait, failedIds } = useCopyQueue()
  const isAtWork = moduleIds.includes(moduleId)
  const wasAtWork = useRef(isAtWork)
  const noteMade = useEffectEvent(onMade)
  useEffect(() => {
    if (wasAtWork.current && !isAtWork) noteMade()
    wasAtWork.current = isAtWork
  }, [isAtWork])
  const hasFailed = !isAtWork && failedIds.includes(moduleId)
  return { isAtWork, percent: moduleIds[0] === moduleId ? percent : 0, wait, hasFailed }
}
