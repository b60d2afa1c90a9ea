import { useUser } from '@clerk/react'
import { Link2Off, UserRoundPen } from 'lucide-react'
import { useLocation, useNavigate } from 'react-router-dom'
import * as m from '#messages'
import { nameOf } from '#web/features/auth/name-of.ts'
import { useAcceptInvitation } from '#web/features/share/invitations-query.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** `/invitation#…`: a link to edit one training, which the first person who accepts it uses up. */
export function InvitationPage() {
  usePageTitle(m.invitation())
  const key = useLocation().hash.slice(1)
  const { user } = useUser()
  const navigate = useNavigate()
  const accept = useAcceptInvitation()
  const isRefused = accept.error instanceof ApiError && accept.error.code === 'not_found'
  if (key === '' || isRefused)
    return (
      <Notice
        icon={Link2Off}
        title={m.invitation_does_not_work()}
        actions={<ButtonLink to="/dashboard">{m.go_to_dashboard()}</ButtonLink>}
      >
        <p>{m.ask_for_another_invitation()}</p>
      </Notice>
    )
  function onAccept() {
    accept.mutate(
      { key, name: nameOf(user) },
      { onSuccess: ({ trainingUrl }) => void navigate(trainingUrl, { replace: true }) },
    )
  }
  const actions = (
    <Button isBusy={accept.isPending} onClick={onAccept}>
      {accept.isError ? m.try_again_button() : m.accept()}
    </Button>
  )
  return (
    <Notice icon={UserRoundPen} title={m.you_are_invited()} actions={actions}>
      <p>{m.invitation_allows({ name: nameOf(user) })}</p>
      {accept.isError && (
        <p role="alert" className="mt-3 text-danger-ink">
          {accept.error.message}
        </p>
      )}
    </Notice>
  )
}
