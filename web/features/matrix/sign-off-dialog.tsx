import { useQuery } from '@tanstack/react-query'
import { toast } from 'sonner'
import type { SignOffAnswer } from '#contract/records/sign-off.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { formatDate } from '#web/lib/format/format-date.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { ListFailed } from '#web/ui/notice.tsx'
import { type SignOffSubject, signOffQuery, useSignOff } from './matrix-query.ts'
import { SignOffForm } from './sign-off-form.tsx'

interface SignOffDialogProps {
  subject: SignOffSubject
  /** Their name. */
  person: string
  onClose: () => void
}

/** What a person has done of a training so far, and the form in which a supervisor signs it off. */
export function SignOffDialog({ subject, person, onClose }: SignOffDialogProps) {
  const { data, error, isFetching, refetch } = useQuery(signOffQuery(useApi(), subject))
  const about = data && m.sign_off_about({ training: data.title, number: data.version.number })
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={m.sign_off_title({ person })}
      {...(about !== undefined && { description: about })}
      width="wide"
    >
      {data !== undefined ? (
        <SignOffPanel {...{ subject, data, onClose }} />
      ) : error === null ? (
        <LoadingSkeleton what={person} className="h-40 rounded-card" />
      ) : (
        <ListFailed title={m.sign_off_failed_to_load()} {...{ error }} isBusy={isFetching} onRetry={() => refetch()} />
      )}
    </Dialog>
  )
}

interface SignOffPanelProps extends Omit<SignOffDialogProps, 'person'> {
  data: SignOffAnswer
}

function SignOffPanel({ subject, data, onClose }: SignOffPanelProps) {
  const sign = useSignOff(subject, {
    onSigned: ({ known, person: { name } }) => {
      onClose()
      const isRefused = known.refusedSteps.length > 0
      toast.success(isRefused ? m.sign_off_again_recorded({ person: name }) : m.sign_off_is_recorded({ person: name }))
    },
    onFailed: (error) => void toast.error(m.sign_off_failed(), { description: error.message }),
  })
  return (
    <div className="grid grid-cols-1 gap-6">
      <PartsMet known={data.known} rule={data.rule} />
      {data.isMe ? (
        <p className="text-sm text-warn-ink">{m.sign_off_needs_other()}</p>
      ) : (
        <SignOffForm
          key={`${data.version.hash} ${data.seq}`}
          {...{ data, onClose }}
          isBusy={sign.isPending}
          onSign={sign.mutate}
        />
      )}
    </div>
  )
}

/** Which parts of the rule were met, and when. */
function PartsMet({ known, rule }: Pick<SignOffAnswer, 'known' | 'rule'>) {
  const parts = [
    { isAsked: rule.reached, label: m.sign_off_reached(), met: known.reached },
    { isAsked: rule.confirmed, label: m.sign_off_confirmed(), met: known.confirmed },
    { isAsked: rule.signedOff, label: m.sign_off_signed(), met: known.signedOff },
  ].filter(({ isAsked, met }) => isAsked || met !== null)
  return (
    <section>
      <h3 className="text-sm font-semibold">{m.sign_off_parts()}</h3>
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {parts.map(({ label, met }) => (
          <div key={label} className="contents">
            <dt className="text-ink-soft">{label}</dt>
            <dd className="tabular-nums">
              {met === null ? m.sign_off_not_yet() : `${formatDate(met.time)} · ${m.version()} ${met.version.number}`}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
