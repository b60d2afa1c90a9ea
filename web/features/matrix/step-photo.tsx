import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Camera } from 'lucide-react'
import { toast } from 'sonner'
import { SignOffPhotoAnswer } from '#contract/records/sign-off.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { redrawToFile } from '#web/lib/device/redraw-photo.ts'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { PhotoInput, useKeptFocus } from '#web/ui/photo-input.tsx'
import { SmallPhoto } from '#web/ui/small-photo.tsx'
import { type SignOffSubject, signOffPath } from './matrix-query.ts'

/** Of photos that are being drawn or sent: what is signed meanwhile would lack them. */
export const PHOTO_KEY = ['sign-off-photo']
/** A photo on the slow line of a hall. */
const PHOTO_TIMEOUT_MS = 60_000

interface StepPhotoProps {
  subject: SignOffSubject
  /** Number of the step. */
  number: number
  /** Hash of the photo that was sent; undefined for none. */
  hash: string | undefined
  /** Id of what says who sees it. */
  noteId: string
  onChange: (hash: string | undefined) => void
}

/** Adds a photo to what is said of a step: it is drawn again and sent at once, and the signature names it. */
export function StepPhoto({ subject, number, hash, noteId, onChange }: StepPhotoProps) {
  const place = useKeptFocus(hash)
  const send = useSendPhoto(subject, onChange)
  if (hash !== undefined)
    return (
      <div ref={place} className="mt-2 flex flex-wrap items-center gap-3">
        <SentPhoto hash={hash} label={m.sign_off_photo({ number })} />
        <Button variant="ghost" size="small" onClick={() => onChange(undefined)}>
          {m.remove_the_photo()}
        </Button>
      </div>
    )
  return (
    <div ref={place} className="mt-2">
      <PhotoInput noteId={noteId} size="small" onPhoto={(file) => send.isPending || send.mutate(file)}>
        {send.isPending ? <Spinner className="size-4" /> : <Camera aria-hidden="true" className="size-4" />}
        {m.add_a_photo()}
      </PhotoInput>
    </div>
  )
}

const sentKey = (hash: string) => [...PHOTO_KEY, hash]

function useSendPhoto(subject: SignOffSubject, onSent: (hash: string) => void) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: PHOTO_KEY,
    mutationFn: async (file: File) => {
      const content = await redrawToFile(file)
      if (content === null) throw new Error(m.photo_cannot_be_read())
      const { hash } = await callApi({
        path: `${signOffPath(subject)}/photos`,
        method: 'POST',
        file: { content, contentType: content.type },
        schema: SignOffPhotoAnswer,
        timeoutMs: PHOTO_TIMEOUT_MS,
      })
      // Supervisors may not read records: what they see is what they have sent.
      queryClient.setQueryData(sentKey(hash), content)
      return hash
    },
    onSuccess: onSent,
    onError: ({ message }) => toast.error(m.sign_off_photo_failed(), { description: message }),
  })
}

function SentPhoto({ hash, label }: { hash: string; label: string }) {
  const { data } = useQuery<Blob>({ queryKey: sentKey(hash), queryFn: skipToken, staleTime: Number.POSITIVE_INFINITY })
  return <SmallPhoto photo={data} label={label} />
}
