import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { PERSON_NAME_MAX_CHARS, PERSON_NUMBER_MAX_CHARS } from '#contract/limits.ts'
import type { Person } from '#contract/team/people.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormField, Input } from '#web/ui/form-controls.tsx'
import { EmailField, isNoAddress } from './email-field.tsx'
import { GroupBoxes } from './group-boxes.tsx'
import { groupsQuery, useSavePerson } from './people-queries.ts'

interface PersonDialogProps {
  /** Who is changed; null for somebody new. */
  person: Person | null
  onClose: () => void
}

/** Name, number, address and groups of a person. */
export function PersonDialog({ person, onClose }: PersonDialogProps) {
  const id = useId()
  const [name, setName] = useState(person?.name ?? '')
  const [number, setNumber] = useState(person?.number ?? '')
  const [email, setEmail] = useState(person?.email ?? '')
  const [groupIds, setGroupIds] = useState(person?.groupIds ?? [])
  const [isRefused, setIsRefused] = useState(false)
  const { data: groups = [] } = useQuery(groupsQuery(useApi()))
  const save = useSavePerson()
  const isMissing = isRefused && name.trim() === ''
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    flushSync(() => setIsRefused(true))
    // There a screen reader reads what is wrong.
    form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    if (name.trim() === '' || isNoAddress(email) || save.isPending) return
    const orNull = (text: string) => (text.trim() === '' ? null : text)
    const fields = { name, number: orNull(number), email: orNull(email), groupIds }
    save.mutate({ ...(person && { id: person.id }), ...fields }, { onSuccess: onClose })
  }
  return (
    <Dialog isOpen onOpenChange={onClose} title={person === null ? m.add_person() : m.edit_person()}>
      <form onSubmit={submit} className="grid grid-cols-1 gap-4">
        <FormField id={`${id}-name`} label={m.person_name()} problem={isMissing ? m.a_name_is_required() : undefined}>
          {(links) => (
            <Input
              {...links}
              dir="auto"
              value={name}
              maxLength={PERSON_NAME_MAX_CHARS}
              autoComplete="off"
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </FormField>
        <FormField id={`${id}-number`} label={m.person_number()} hint={m.may_be_empty()}>
          {(links) => (
            <Input
              {...links}
              value={number}
              maxLength={PERSON_NUMBER_MAX_CHARS}
              autoComplete="off"
              onChange={({ target }) => setNumber(target.value)}
            />
          )}
        </FormField>
        <EmailField
          id={`${id}-email`}
          label={m.email_address()}
          value={email}
          isRefused={isRefused}
          onChange={setEmail}
        />
        <GroupBoxes groups={groups} chosen={groupIds} onChange={setGroupIds} />
        <FormActions isBusy={save.isPending} onClose={onClose} />
      </form>
    </Dialog>
  )
}

function FormActions({ isBusy, onClose }: { isBusy: boolean; onClose: () => void }) {
  return (
    <div className="flex flex-wrap justify-end gap-3">
      <Button variant="secondary" onClick={onClose}>
        {m.cancel()}
      </Button>
      <Button type="submit" isBusy={isBusy}>
        {m.save()}
      </Button>
    </div>
  )
}
