import { useQuery } from '@tanstack/react-query'
import { UserRoundPlus, X } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { INVITATIONS_MAX, PERSON_NAME_MAX_CHARS } from '#contract/limits.ts'
import type { Invitation } from '#contract/training/invitation.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { formatDate } from '#web/lib/format/format-date.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { Button } from '#web/ui/button.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { FormField, Input } from '#web/ui/form-controls.tsx'
import { StillLoading } from '#web/ui/loading.tsx'
import { Loaded } from '#web/ui/notice.tsx'
import { invitationsQuery, useInvite, useRemoveInvitation } from './invitations-query.ts'
import { ShareLink } from './share-link.tsx'

/** A link that was just made: the server has kept only a hash of it. */
interface MadeLink {
  id: string
  name: string
  link: string
  expiresAt: string
}

/** Who edits a training without being of its organization, for its owner. */
export function InvitedPeople({ moduleId }: { moduleId: string }) {
  const [made, setMade] = useState<MadeLink | null>(null)
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="text-sm text-ink-soft">{m.invited_people_explained()}</p>
      <InviteForm moduleId={moduleId} onMade={setMade} />
      {made && (
        <div role="status">
          <ShareLink
            label={m.invitation_link_for({ name: made.name })}
            link={made.link}
            isWorking
            note={m.invitation_link_note({ date: formatDate(made.expiresAt) })}
          />
        </div>
      )}
      <InvitedList moduleId={moduleId} onRemoved={(id) => id === made?.id && setMade(null)} />
    </div>
  )
}

function InviteForm({ moduleId, onMade }: { moduleId: string; onMade: (made: MadeLink) => void }) {
  const id = useId()
  const { data: invitations = [] } = useQuery(invitationsQuery(useApi(), moduleId))
  const isFull = invitations.length >= INVITATIONS_MAX
  const sentence = useFocusWhenFewer<HTMLParagraphElement>(isFull ? 0 : 1)
  const invite = useInvite(moduleId)
  const [name, setName] = useState('')
  function onSubmit(event: FormEvent) {
    event.preventDefault()
    const typed = name.trim()
    if (typed === '' || invite.isPending) return
    invite.mutate(
      { name: typed },
      {
        onSuccess: ({ path, invitations: [latest] }) => {
          if (latest) onMade({ ...latest, link: new URL(path, window.location.origin).href })
          setName('')
        },
      },
    )
  }
  if (isFull)
    return (
      <p ref={sentence} tabIndex={-1} className="text-sm text-ink-soft focus:outline-none">
        {m.invitations_are_full({ max: INVITATIONS_MAX })}
      </p>
    )
  return (
    <form onSubmit={onSubmit}>
      <FormField id={id} label={m.name_of_the_person()}>
        {(links) => (
          <Input
            {...links}
            required
            autoComplete="off"
            maxLength={PERSON_NAME_MAX_CHARS}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </FormField>
      <Button type="submit" variant="secondary" size="small" className="mt-3" isBusy={invite.isPending}>
        {!invite.isPending && <UserRoundPlus aria-hidden="true" className="size-4" />}
        {m.make_invitation_link()}
      </Button>
    </form>
  )
}

function InvitedList({ moduleId, onRemoved }: { moduleId: string; onRemoved: (id: string) => void }) {
  const query = useQuery(invitationsQuery(useApi(), moduleId))
  const remove = useRemoveInvitation(moduleId)
  const list = useFocusWhenFewer<HTMLUListElement>(query.data?.length ?? 0)
  return (
    <Loaded query={query} what={m.invited_people_noun()} skeleton={<StillLoading what={m.invited_people_noun()} />}>
      {(invitations) => (
        <ul
          ref={list}
          tabIndex={-1}
          aria-label={m.invited_people()}
          className="divide-y divide-line empty:hidden focus:outline-none"
        >
          {invitations.map((invitation) => (
            <InvitedRow
              key={invitation.id}
              invitation={invitation}
              isBusy={remove.isPending && remove.variables === invitation.id}
              onRemove={() => remove.mutate(invitation.id, { onSuccess: () => onRemoved(invitation.id) })}
            />
          ))}
        </ul>
      )}
    </Loaded>
  )
}

interface InvitedRowProps {
  invitation: Invitation
  isBusy: boolean
  onRemove: () => void
}

function InvitedRow({ invitation, isBusy, onRemove }: InvitedRowProps) {
  const [isAsking, setIsAsking] = useState(false)
  const label = m.remove_invited_named({ name: invitation.name })
  return (
    <li className="flex items-start justify-between gap-3 py-2.5 text-sm">
      <div className="min-w-0 flex-1">
        <p dir="auto" className="font-medium wrap-anywhere">
          {invitation.name}
        </p>
        <p className="mt-0.5 wrap-anywhere text-ink-soft">
          <InvitationState invitation={invitation} />
        </p>
      </div>
      <Button
        variant="ghost"
        size="small"
        className="w-8 pointer-coarse:w-11 shrink-0 px-0!"
        aria-label={label}
        title={label}
        isBusy={isBusy}
        // Nobody loses anything with a link that was not accepted.
        onClick={invitation.accepted === null ? onRemove : () => setIsAsking(true)}
      >
        {!isBusy && <X aria-hidden="true" className="size-4" />}
      </Button>
      <AlertDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={label}
        description={m.removed_editor_explained()}
        confirmLabel={m.remove_action()}
        onConfirm={onRemove}
      />
    </li>
  )
}

function InvitationState({ invitation: { accepted, expiresAt } }: { invitation: Invitation }) {
  const [openedMs] = useState(Date.now)
  if (accepted !== null) return m.invitation_is_accepted({ name: accepted.name, date: formatDate(accepted.acceptedAt) })
  const date = formatDate(expiresAt)
  return Date.parse(expiresAt) > openedMs ? m.invitation_is_open({ date }) : m.invitation_has_ended({ date })
}
