import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router-dom'
import * as m from '#messages'
import { signOffQuery, useSignOff } from '#web/features/matrix/matrix-query.ts'
import { SignOffPanel } from '#web/features/matrix/sign-off-panel.tsx'
import { useApi } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Card } from '#web/ui/card.tsx'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { ListFailed } from '#web/ui/notice.tsx'

/** One training of one person, for the supervisor who has scanned the learner's code. */
export function SignOffPage() {
  usePageTitle(m.sign_off_settings())
  const { personId = '', moduleId = '' } = useParams()
  const subject = { personId, moduleId }
  const navigate = useNavigate()
  const close = () => void navigate('/team/matrix')
  const { data, error, isFetching, refetch } = useQuery({ ...signOffQuery(useApi(), subject), retry: false })
  const sign = useSignOff(subject, close)
  if (data === undefined && error === null)
    return <LoadingSkeleton what={m.sign_off_settings()} className="h-80 rounded-card" />
  if (data === undefined)
    return (
      <ListFailed title={m.sign_off_failed_to_load()} {...{ error }} isBusy={isFetching} onRetry={() => refetch()} />
    )
  return (
    <Card className="mx-auto w-full max-w-3xl p-4 sm:p-6">
      <h2 className="text-lg font-semibold wrap-anywhere">{m.sign_off_title({ person: data.person.name })}</h2>
      <p className="mt-1 mb-5 text-sm wrap-anywhere text-ink-soft">
        {m.sign_off_about({ training: data.title, number: data.version.number })}
      </p>
      <SignOffPanel {...{ subject, data, sign }} onClose={close} />
    </Card>
  )
}
