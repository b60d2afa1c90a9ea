import { useMutation } from '@tanstack/react-query'
import { Maximize, ScanSearch, SquareDashedMousePointer } from 'lucide-react'
import { useId, useRef } from 'react'
import { imageUrl, largeName } from '#contract/image-url.ts'
import { VideoUrlAnswer } from '#contract/module.ts'
import type { StepFocus } from '#contract/step.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { openVideo } from '#web/lib/step-images.ts'
import { Button } from '#web/ui/button.tsx'
import { FocusBox } from './focus-box.tsx'
import { FIRST_FOCUS } from './move-focus.ts'
import { proposeFocus } from './propose-focus.ts'

interface FocusFieldProps {
  moduleId: string
  posterUrl: string
  /** Name of the image of the step; the poster where it has none. */
  image: string
  focus: StepFocus | null
  /** When the step is, in seconds; null while its times cannot be read. */
  span: { startS: number; endS: number } | null
  onChange: (focus: StepFocus | null) => void
}

/** Where learners are to look: the whole picture, or a part that a person marks or takes. */
export function FocusField({ moduleId, posterUrl, image, focus, span, onChange }: FocusFieldProps) {
  const headingId = useId()
  const group = useRef<HTMLFieldSetElement>(null)
  const proposal = useProposal(moduleId)
  function choose(next: StepFocus | null) {
    onChange(next)
    group.current?.focus()
  }
  const src = imageUrl(posterUrl, image === 'poster' ? image : largeName(image))
  return (
    <fieldset ref={group} tabIndex={-1} aria-labelledby={headingId} className="grid grid-cols-1 gap-2 outline-none">
      <span id={headingId} className="text-sm font-medium">
        {m.look_here()}
      </span>
      <p role="status" className="text-sm text-ink-soft">
        {focus === null ? m.learners_see_the_whole_picture() : m.following_shows_this_part()}
      </p>
      {focus !== null && <FocusBox {...{ src, focus }} onChange={onChange} />}
      <div className="flex flex-wrap gap-2">
        {focus === null ? (
          <Button variant="secondary" size="small" onClick={() => choose(FIRST_FOCUS)}>
            <SquareDashedMousePointer aria-hidden="true" className="size-4" />
            {m.mark_a_part()}
          </Button>
        ) : (
          <Button variant="secondary" size="small" onClick={() => choose(null)}>
            <Maximize aria-hidden="true" className="size-4" />
            {m.whole_picture()}
          </Button>
        )}
        {span !== null && (
          <Button
            variant="secondary"
            size="small"
            isBusy={proposal.isPending}
            onClick={() => proposal.mutate(span, { onSuccess: choose })}
          >
            {!proposal.isPending && <ScanSearch aria-hidden="true" className="size-4" />}
            {m.mark_where_it_changes()}
          </Button>
        )}
      </div>
      <p role="alert" className="text-sm text-danger-ink empty:hidden">
        {proposal.error?.message}
      </p>
    </fieldset>
  )
}

/** Looks at the video beside the page, which shows another moment. */
function useProposal(moduleId: string) {
  const callApi = useApi()
  return useMutation({
    async mutationFn(span: { startS: number; endS: number }): Promise<StepFocus> {
      const over = new AbortController()
      try {
        const path = `/api/video-url/module/${encodeURIComponent(moduleId)}`
        const { url } = await callApi({ path, schema: VideoUrlAnswer })
        const draw = await openVideo(url, over.signal)
        const found = draw && (await proposeFocus(draw, span))
        if (found === null) throw new Error(m.nothing_changes_in_one_place())
        return found
      } finally {
        // Ends what it loads.
        over.abort()
      }
    },
  })
}
