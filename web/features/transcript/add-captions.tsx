import { useMutation } from '@tanstack/react-query'
import { Captions } from 'lucide-react'
import { type ComponentProps, type ReactNode, useRef } from 'react'
import { CAPTIONS_MAX_BYTES } from '#contract/limits.ts'
import { CaptionsAnswer } from '#contract/transcript.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { ACCEPT_CAPTIONS, captionTypeOf } from '#web/lib/files.ts'
import { Button } from '#web/ui/button.tsx'

/** Two megabytes over a slow phone connection take longer than the usual ten seconds. */
const SEND_TIMEOUT_MS = 60_000

/** How the button looks that adds captions, and what is said of it. */
export interface CaptionsLook extends Pick<ComponentProps<typeof Button>, 'variant' | 'size'> {
  label?: string
  hint?: string
}

const HINT = m.captions_are_a_vtt_or()

interface AddCaptionsProps {
  moduleId: string
  onAdded: () => void
  look?: CaptionsLook
  /** Other actions, after the button. */
  children?: ReactNode
}

/** Lets an owner give the words of a video, where its audio could not be used or was not understood well. */
export function AddCaptions({ moduleId, onAdded, look = {}, children }: AddCaptionsProps) {
  const { label = m.add_captions(), hint = '', ...button } = look
  const callApi = useApi()
  const input = useRef<HTMLInputElement>(null)
  const sending = useMutation({
    async mutationFn(content: File) {
      const contentType = captionTypeOf(content)
      if (contentType === null) throw new Error(m.choose_a_caption_file_that())
      if (content.size > CAPTIONS_MAX_BYTES) throw new Error(m.the_caption_file_is_larger())
      const path = `/api/captions/${encodeURIComponent(moduleId)}`
      const options = { schema: CaptionsAnswer, timeoutMs: SEND_TIMEOUT_MS }
      return callApi({ path, method: 'PUT', file: { content, contentType }, ...options })
    },
    onSuccess: onAdded,
  })
  return (
    <div className="grid gap-4">
      {/* As the text around it is aligned: in the middle of a page, at the beginning of a notice. */}
      <div className="-m-1.5 *:m-1.5 *:align-middle">
        <Button {...button} isBusy={sending.isPending} onClick={() => input.current?.click()}>
          {!sending.isPending && <Captions aria-hidden="true" className="size-4" />}
          {sending.isPending ? m.adding_captions() : label}
        </Button>
        {children}
      </div>
      <input
        ref={input}
        type="file"
        accept={ACCEPT_CAPTIONS}
        aria-label={m.caption_file()}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (file !== undefined) sending.mutate(file)
          // Emptied, so that choosing the same file after correcting it fires a change event.
          event.target.value = ''
        }}
      />
      <p role="alert" className="text-sm font-medium text-danger-ink empty:hidden">
        {sending.error?.message}
      </p>
      <p className="text-sm text-ink-faint">
        {HINT} {hint}
      </p>
    </div>
  )
}
