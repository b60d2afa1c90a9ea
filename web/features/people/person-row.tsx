import { EllipsisVertical, KeyRound, Link2, Link2Off, Merge, PencilLine, UserCheck, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { CodeAnswer, type Group, type Person, PersonAnswer, SecretLinkAnswer } from '#contract/team/people.ts'
import * as m from '#messages'
import { Badge } from '#web/ui/card.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { personPath, useChange, useSavePerson } from './people-queries.ts'
import type { Secret } from './secret-dialog.tsx'

interface PersonRowProps {
  person: Person
  groups: readonly Group[]
  onEdit: (person: Person) => void
  onJoin: (person: Person) => void
  onSecret: (secret: Secret) => void
}

/** A person with what can be done about them. */
export function PersonRow({ person, groups, ...actions }: PersonRowProps) {
  const { name, number, hasAccount, isNameChecked, hasLink, hasCode } = person
  const named = groups.filter(({ id }) => person.groupIds.includes(id))
  return (
    <li className="flex items-center gap-3 border-b border-line py-2.5 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">
          <bdi>{name}</bdi>
          {number !== null && (
            <span className="ms-2 text-sm font-normal text-ink-faint tabular-nums">
              <bdi>{number}</bdi>
            </span>
          )}
        </p>
        <p className="mt-1 flex flex-wrap gap-1.5 empty:hidden">
          {named.map((group) => (
            <Badge key={group.id} className="max-w-full">
              <bdi className="truncate">{group.name}</bdi>
            </Badge>
          ))}
          {hasAccount && <Badge tone="brand">{m.has_account()}</Badge>}
          {!isNameChecked && <Badge tone="warn">{m.name_not_checked()}</Badge>}
          {hasLink && <Badge tone="brand">{m.has_link()}</Badge>}
          {hasCode && <Badge tone="brand">{m.has_code()}</Badge>}
        </p>
      </div>
      <PersonMenu person={person} {...actions} />
    </li>
  )
}

const QUESTIONS = {
  link: { title: m.personal_link(), confirmLabel: m.make_a_new_one() },
  code: { title: m.device_code(), confirmLabel: m.make_a_new_one() },
  takeBack: {
    title: m.take_access_back(),
    confirmLabel: m.take_access_back(),
  },
}

function PersonMenu({ person, onEdit, onJoin, onSecret }: Omit<PersonRowProps, 'groups'>) {
  const { name, isActive, hasLink, hasCode } = person
  const save = useSavePerson()
  const issue = useIssue(person, onSecret)
  const [asking, setAsking] = useState<keyof typeof issue | null>(null)
  const hasAccess = hasLink || hasCode
  // A slip is not to end what hangs on a machine, or is in somebody's hands.
  const issueLink = () => (hasLink ? setAsking('link') : issue.link.mutate(undefined))
  const issueCode = () => (hasCode ? setAsking('code') : issue.code.mutate(undefined))
  const actions = [
    { icon: PencilLine, label: m.edit_person(), onSelect: () => onEdit(person) },
    ...(isActive
      ? [
          { icon: Link2, label: m.personal_link(), onSelect: issueLink },
          { icon: KeyRound, label: m.device_code(), onSelect: issueCode },
        ]
      : []),
    ...(hasAccess ? [{ icon: Link2Off, label: m.take_access_back(), onSelect: () => setAsking('takeBack') }] : []),
    { icon: Merge, label: m.join_entries(), onSelect: () => onJoin(person) },
    isActive
      ? { icon: UserMinus, label: m.has_left(), onSelect: () => save.mutate({ id: person.id, isActive: false }) }
      : { icon: UserCheck, label: m.is_back(), onSelect: () => save.mutate({ id: person.id, isActive: true }) },
  ]
  return (
    <>
      <Menu actions={actions} variant="ghost" size="icon" aria-label={m.actions_for({ name })}>
        <EllipsisVertical aria-hidden="true" className="size-5" />
      </Menu>
      <AlertDialog
        isOpen={asking !== null}
        onOpenChange={(isOpen) => !isOpen && setAsking(null)}
        {...QUESTIONS[asking ?? 'link']}
        description={asking === 'takeBack' ? m.take_back_explained() : m.earlier_one_ends({ name })}
        onConfirm={() => asking !== null && issue[asking].mutate(undefined)}
      />
    </>
  )
}

function useIssue(person: Person, onSecret: (secret: Secret) => void) {
  const { name } = person
  const link = useChange(async (callApi) => {
    const { path } = await callApi({ path: personPath(person, '/link'), method: 'POST', schema: SecretLinkAnswer })
    const explained = m.personal_link_explained({ name })
    onSecret({ kind: 'link', title: m.personal_link(), explained, text: `${window.location.origin}${path}` })
  })
  const code = useChange(async (callApi) => {
    const issued = await callApi({ path: personPath(person, '/code'), method: 'POST', schema: CodeAnswer })
    const explained = m.device_code_explained({ name })
    onSecret({ kind: 'code', title: m.device_code(), explained, text: issued.code })
  })
  const takeBack = useChange(async (callApi) => {
    await callApi({ path: personPath(person, '/link'), method: 'DELETE', schema: PersonAnswer })
    toast.success(m.access_taken_back())
  })
  return { link, code, takeBack }
}
