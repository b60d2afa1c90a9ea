import { useQuery } from '@tanstack/react-query'
import { EllipsisVertical, Link2, Link2Off, Plus, TextCursorInput, Trash2 } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { PERSON_NAME_MAX_CHARS } from '#contract/limits.ts'
import { type Group, GroupsAnswer, SecretLinkAnswer } from '#contract/team/people.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/card.tsx'
import { AlertDialog, Dialog } from '#web/ui/dialog.tsx'
import { FormField, Input, TitleEditor } from '#web/ui/form-controls.tsx'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { Loaded } from '#web/ui/notice.tsx'
import { groupsQuery, useChange } from './people-queries.ts'
import type { Secret } from './secret-dialog.tsx'

const PATH = '/api/groups'
const pathOf = ({ id }: Group, part = '') => `${PATH}/${encodeURIComponent(id)}${part}`

interface GroupsDialogProps {
  onClose: () => void
  onSecret: (secret: Secret) => void
}

/** Groups of people: new ones, other names, and links for their shared devices. */
export function GroupsDialog({ onClose, onSecret }: GroupsDialogProps) {
  const query = useQuery(groupsQuery(useApi()))
  const what = m.groups_label()
  return (
    <Dialog isOpen onOpenChange={onClose} title={what}>
      <NewGroup />
      <Loaded
        {...{ query, what }}
        className="mt-4"
        skeleton={<LoadingSkeleton what={what} className="mt-4 h-24 rounded-control" />}
      >
        {(groups) => (
          <ul className="mt-4 grid grid-cols-1">
            {groups.map((group) => (
              <GroupRow key={group.id} group={group} onSecret={onSecret} />
            ))}
          </ul>
        )}
      </Loaded>
    </Dialog>
  )
}

function NewGroup() {
  const id = useId()
  const [name, setName] = useState('')
  const add = useChange((callApi, body: { name: string }) =>
    callApi({ path: PATH, method: 'POST', body, schema: GroupsAnswer }),
  )
  function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim() !== '' && !add.isPending) add.mutate({ name }, { onSuccess: () => setName('') })
  }
  return (
    <form onSubmit={submit}>
      <FormField id={id} label={m.new_group()}>
        {(links) => (
          <div className="flex gap-2">
            <Input
              {...links}
              dir="auto"
              value={name}
              maxLength={PERSON_NAME_MAX_CHARS}
              placeholder={m.group_example()}
              autoComplete="off"
              onChange={({ target }) => setName(target.value)}
              className="min-w-0 flex-1"
            />
            <Button type="submit" isBusy={add.isPending}>
              {!add.isPending && <Plus aria-hidden="true" className="size-4" />}
              {m.create()}
            </Button>
          </div>
        )}
      </FormField>
    </form>
  )
}

function GroupRow({ group, onSecret }: { group: Group; onSecret: (secret: Secret) => void }) {
  const { name } = group
  const [open, setOpen] = useState<GroupQuestionsProps['open']>(null)
  const { rename, remove, takeBack, issue } = useGroup(group, onSecret)
  if (open === 'rename')
    return (
      <li className="border-b border-line py-2 last:border-0">
        <TitleEditor
          value={name}
          label={m.person_name()}
          maxChars={PERSON_NAME_MAX_CHARS}
          onSave={(next) => {
            setOpen(null)
            rename.mutate({ name: next })
          }}
          onCancel={() => setOpen(null)}
        />
      </li>
    )
  return (
    <li className="flex items-center gap-3 border-b border-line py-2 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere">
          <bdi>{name}</bdi>
        </p>
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-ink-soft tabular-nums">
          {m.assigned_people({ count: group.people })}
          {group.hasLink && <Badge tone="brand">{m.has_link()}</Badge>}
        </p>
      </div>
      <Menu
        variant="ghost"
        size="icon"
        aria-label={m.actions_for({ name })}
        actions={[
          {
            icon: Link2,
            label: m.device_link(),
            onSelect: () => (group.hasLink ? setOpen('renew') : issue.mutate(undefined)),
          },
          ...(group.hasLink
            ? [{ icon: Link2Off, label: m.take_link_back(), onSelect: () => setOpen('takeBack') }]
            : []),
          { icon: TextCursorInput, label: m.rename_action(), onSelect: () => setOpen('rename') },
          { icon: Trash2, label: m.delete_action(), onSelect: () => setOpen('remove') },
        ]}
      >
        <EllipsisVertical aria-hidden="true" className="size-5" />
      </Menu>
      <GroupQuestions
        {...{ name, open }}
        onClose={() => setOpen(null)}
        onRemove={() => remove.mutate(undefined)}
        onRenew={() => issue.mutate(undefined)}
        onTakeBack={() => takeBack.mutate(undefined)}
      />
    </li>
  )
}

function useGroup(group: Group, onSecret: (secret: Secret) => void) {
  const { name } = group
  const rename = useChange((callApi, body: { name: string }) =>
    callApi({ path: pathOf(group), method: 'PATCH', body, schema: GroupsAnswer }),
  )
  const remove = useChange((callApi) => callApi({ path: pathOf(group), method: 'DELETE', schema: GroupsAnswer }))
  const takeBack = useChange((callApi) =>
    callApi({ path: pathOf(group, '/link'), method: 'DELETE', schema: GroupsAnswer }),
  )
  const issue = useChange(async (callApi) => {
    const { path } = await callApi({ path: pathOf(group, '/link'), method: 'POST', schema: SecretLinkAnswer })
    const explained = m.device_link_explained({ name })
    onSecret({ kind: 'link', title: m.device_link(), explained, text: `${window.location.origin}${path}` })
  })
  return { rename, remove, takeBack, issue }
}

interface GroupQuestionsProps {
  name: string
  open: 'rename' | 'remove' | 'renew' | 'takeBack' | null
  onClose: () => void
  onRemove: () => void
  onRenew: () => void
  onTakeBack: () => void
}

/** What is asked before a group goes, or the link on its device ends. */
function GroupQuestions({ name, open, onClose, onRemove, onRenew, onTakeBack }: GroupQuestionsProps) {
  return (
    <>
      <AlertDialog
        isOpen={open === 'remove'}
        onOpenChange={(isOpen) => !isOpen && onClose()}
        title={m.delete_named({ name })}
        description={m.delete_group_explained()}
        confirmLabel={m.delete_action()}
        onConfirm={onRemove}
      />
      <AlertDialog
        isOpen={open === 'renew'}
        onOpenChange={(isOpen) => !isOpen && onClose()}
        title={m.device_link()}
        description={m.earlier_one_ends({ name })}
        confirmLabel={m.make_a_new_one()}
        onConfirm={onRenew}
      />
      <AlertDialog
        isOpen={open === 'takeBack'}
        onOpenChange={(isOpen) => !isOpen && onClose()}
        title={m.take_link_back()}
        description={m.take_back_explained()}
        confirmLabel={m.take_link_back()}
        onConfirm={onTakeBack}
      />
    </>
  )
}
