import { useMutation } from '@tanstack/react-query'
import { Captions } from 'lucide-react'
import { type ComponentProps, type ReactNode, useRef, useState } from 'react'
import { toast } from 'sonner'
import { CaptionsAnswer } from '#contract/transcript.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import {
  CAPTIONS_TIMEOUT_MS,
  CaptionCheck,
  type CaptionCheckState,
  captionBody,
  captionsPath,
  needsLook,
} from '#web/lib/captions/caption-check.ts'
import { sayCaptions } from '#web/lib/captions/say-captions.ts'
import { ACCEPT_CAPTIONS } from '#web/lib/files.ts'
import { useStore } from '#web/lib/use-store.ts'
import { Button } from '#web/ui/button.tsx'
import { CaptionReport } from '#web/ui/caption-report.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/** How the button looks that adds captions, and what is said of it. */
export interface CaptionsLook extends Pick<ComponentProps<typeof Button>, 'variant' | 'size'> {
  label?: string
  hint?: string
}

const HINT = m.captions_are_a_file_with_words()

interface AddCaptionsProps {
  moduleId: string
  onAdded: () => void
  look?: CaptionsLook
  /** Other actions, after the button. */
  children?: ReactNode
}

/** Reads a caption file, has its owner look at it where something is to be seen, and sends it. */
function useCaptionsToAdd(onAdded: () => void) {
  const callApi = useApi()
  const sending = useMutation({
    mutationFn({ file, moduleId, choices }: CaptionCheckState) {
      const options = { schema: CaptionsAnswer, timeoutMs: CAPTIONS_TIMEOUT_MS }
      return callApi({ path: captionsPath(moduleId, choices), method: 'PUT', file: captionBody(file), ...options })
    },
    onSuccess(answer) {
      check.close()
      toast.success(sayCaptions(answer))
      onAdded()
    },
  })
  const [check] = useState(() => new CaptionCheck(callApi, sending.mutate))
  return { check, state: useStore(check), sending }
}

/** Lets an owner give the words of a video, where its audio could not be used or was not understood well. */
export function AddCaptions({ moduleId, onAdded, look = {}, children }: AddCaptionsProps) {
  const { label = m.add_captions(), hint = '', ...button } = look
  const input = useRef<HTMLInputElement>(null)
  const { check, state, sending } = useCaptionsToAdd(onAdded)
  const isBusy = sending.isPending || state?.isReading === true
  // What cannot be read is said here; what is to be looked at, in a dialog that the whole width of a page is free for.
  const isAsking = state !== null && state.report !== null && needsLook(state.report)
  const error = isAsking ? null : (state?.error ?? sending.error)
  return (
    <div className="grid gap-4">
      {/* As the text around it is aligned: in the middle of a page, at the beginning of a notice. */}
      <div className="-m-1.5 *:m-1.5 *:align-middle">
        <Button {...button} isBusy={isBusy} onClick={() => input.current?.click()}>
          {!isBusy && <Captions aria-hidden="true" className="size-4" />}
          {isBusy ? m.adding_captions() : label}
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
          if (file !== undefined) void check.open({ file, moduleId, durationMs: null })
          // Emptied, so that choosing the same file after correcting it fires a change event.
          event.target.value = ''
        }}
      />
      <p role="alert" className="text-sm font-medium text-danger-ink empty:hidden">
        {error?.message}
      </p>
      <p className="text-sm text-ink-faint">
        {HINT} {hint}
      </p>
      <Dialog
        isOpen={isAsking}
        onOpenChange={() => check.close()}
        title={m.check_the_captions()}
        {...(state && { description: state.file.name })}
      >
        {state && (
          <CaptionReport
            {...{ check, state }}
            isBusy={sending.isPending}
            problem={sending.error?.message}
            onCancel={() => check.close()}
          />
        )}
      </Dialog>
    </div>
  )
}
