import { useQuery } from '@tanstack/react-query'
import * as m from '#messages'
import { useApi, useIsPasswordAsked } from '#web/lib/api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { ListFailed } from '#web/ui/notice.tsx'
import { type SignOffSubject, signOffQuery, useSignOff } from './matrix-query.ts'
import { SignOffPanel } from './sign-off-panel.tsx'

interface SignOffDialogProps {
  subject: SignOffSubject
  /** Their name. */
  person: string
  onClose: () => void
}

/** What a person has done of a training so far, and the form in which a supervisor signs it off. */
export function SignOffDialog({ subject, person, onClose }: SignOffDialogProps) {
  const { data, error, isFetching, refetch } = useQuery(signOffQuery(useApi(), subject))
  const sign = useSignOff(subject, onClose)
  // It would keep the focus from Clerk's own dialog.
  const isOpen = !useIsPasswordAsked()
  const about = data && m.sign_off_about({ training: data.title, number: data.version.number })
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(isWanted) => !isWanted && onClose()}
      title={m.sign_off_title({ person })}
      {...(about !== undefined && { description: about })}
      width="wide"
    >
      {data !== undefined ? (
        <SignOffPanel {...{ subject, data, sign, onClose }} />
      ) : error === null ? (
        <LoadingSkeleton what={person} className="h-40 rounded-card" />
      ) : (
        <ListFailed title={m.sign_off_failed_to_load()} {...{ error }} isBusy={isFetching} onRetry={() => refetch()} />
      )}
    </Dialog>
  )
}
