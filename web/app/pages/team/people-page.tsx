import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { FileUp, Plus, UserRound, UsersRound } from 'lucide-react'
import { useDeferredValue, useId, useState } from 'react'
import type { Person } from '#contract/team/people.ts'
import * as m from '#messages'
import { GroupsDialog } from '#web/features/people/groups-dialog.tsx'
import { ImportDialog } from '#web/features/people/import-dialog.tsx'
import { JoinDialog } from '#web/features/people/join-dialog.tsx'
import { ALL_PEOPLE, groupsQuery, type PeopleFilter, peopleQuery } from '#web/features/people/people-queries.ts'
import { PersonDialog } from '#web/features/people/person-dialog.tsx'
import { PersonRow } from '#web/features/people/person-row.tsx'
import { type Secret, SecretDialog } from '#web/features/people/secret-dialog.tsx'
import { useApi } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Input, Select } from '#web/ui/form-controls.tsx'
import { Skeleton, StillLoading } from '#web/ui/loading.tsx'
import { ListFailed, Notice } from '#web/ui/notice.tsx'

type Opened =
  | { kind: 'add' | 'import' | 'groups' }
  | { kind: 'edit' | 'join'; person: Person }
  | { kind: 'secret'; secret: Secret }

/** People whom the organization trains, and their groups. */
export function PeoplePage() {
  usePageTitle(m.people_tab())
  const [filter, setFilter] = useState(ALL_PEOPLE)
  const [open, setOpen] = useState<Opened | null>(null)
  return (
    <section aria-label={m.people_tab()}>
      <div className="mb-4 flex flex-wrap gap-2">
        <Button onClick={() => setOpen({ kind: 'add' })}>
          <Plus aria-hidden="true" className="size-4" />
          {m.add_person()}
        </Button>
        <Button variant="secondary" onClick={() => setOpen({ kind: 'import' })}>
          <FileUp aria-hidden="true" className="size-4" />
          {m.import_people()}
        </Button>
        <Button variant="secondary" onClick={() => setOpen({ kind: 'groups' })}>
          <UsersRound aria-hidden="true" className="size-4" />
          {m.groups_label()}
        </Button>
      </div>
      <Filters filter={filter} onChange={setFilter} />
      <PeopleList filter={filter} onOpen={setOpen} />
      <Dialogs open={open} onOpen={setOpen} />
    </section>
  )
}

function Dialogs({ open, onOpen }: { open: Opened | null; onOpen: (opened: Opened | null) => void }) {
  const onClose = () => onOpen(null)
  const onSecret = (secret: Secret) => onOpen({ kind: 'secret', secret })
  if (open?.kind === 'add') return <PersonDialog person={null} onClose={onClose} />
  if (open?.kind === 'edit') return <PersonDialog person={open.person} onClose={onClose} />
  if (open?.kind === 'import') return <ImportDialog onClose={onClose} />
  if (open?.kind === 'groups') return <GroupsDialog onClose={onClose} onSecret={onSecret} />
  if (open?.kind === 'join') return <JoinDialog person={open.person} onClose={onClose} />
  if (open?.kind === 'secret') return <SecretDialog secret={open.secret} onClose={onClose} />
  return null
}

function Filters({ filter, onChange }: { filter: PeopleFilter; onChange: (filter: PeopleFilter) => void }) {
  const id = useId()
  const { data: groups = [] } = useQuery(groupsQuery(useApi()))
  return (
    <div className="grid grid-cols-1 gap-2 sm:grid-cols-[minmax(0,1fr)_14rem_12rem]">
      <Input
        type="search"
        aria-label={m.search_people()}
        placeholder={m.search_people()}
        onChange={({ target }) => onChange({ ...filter, query: target.value.trim() })}
      />
      <Select
        id={`${id}-group`}
        aria-label={m.groups_label()}
        value={filter.group}
        onChange={({ target }) => onChange({ ...filter, group: target.value })}
      >
        <option value="">{m.all_groups()}</option>
        {groups.map((group) => (
          <option key={group.id} value={group.id}>
            {group.name}
          </option>
        ))}
      </Select>
      <Select
        id={`${id}-left`}
        aria-label={m.people_tab()}
        value={filter.hasLeft ? 'left' : 'here'}
        onChange={({ target }) => onChange({ ...filter, hasLeft: target.value === 'left' })}
      >
        <option value="here">{m.who_works_here()}</option>
        <option value="left">{m.who_has_left()}</option>
      </Select>
    </div>
  )
}

function PeopleList({ filter, onOpen }: { filter: PeopleFilter; onOpen: (opened: Opened) => void }) {
  const callApi = useApi()
  const asked = useDeferredValue(filter)
  const list = useInfiniteQuery(peopleQuery(callApi, asked))
  const { data: groups = [] } = useQuery(groupsQuery(callApi))
  if (list.data === undefined) {
    if (!list.isPending)
      return (
        <ListFailed
          title={m.failed_to_load_what({ what: m.people_tab() })}
          error={list.error}
          isBusy={list.isFetching}
          onRetry={() => list.refetch()}
        />
      )
    return (
      <div className="mt-4">
        <Skeleton className="h-60 rounded-card" />
        <StillLoading what={m.people_tab()} />
      </div>
    )
  }
  const people = list.data.pages.flatMap((page) => page.people)
  if (people.length === 0) return <Nobody filter={asked} />
  return (
    <Card className="mt-4 px-4">
      <ul>
        {people.map((person) => (
          <PersonRow
            key={person.id}
            person={person}
            groups={groups}
            onEdit={() => onOpen({ kind: 'edit', person })}
            onJoin={() => onOpen({ kind: 'join', person })}
            onSecret={(secret) => onOpen({ kind: 'secret', secret })}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <div className="flex justify-center py-3">
          <Button
            variant="secondary"
            size="small"
            isBusy={list.isFetchingNextPage}
            onClick={() => list.fetchNextPage()}
          >
            {m.load_more()}
          </Button>
        </div>
      )}
    </Card>
  )
}

function Nobody({ filter: { query, group, hasLeft } }: { filter: PeopleFilter }) {
  if (query !== '' || group !== '' || hasLeft)
    return (
      <p role="status" className="mt-6 text-center text-sm text-ink-soft">
        {m.nobody_matches()}
      </p>
    )
  return (
    <Notice icon={UserRound} level={2} title={m.no_people_yet()}>
      <p>{m.no_people_yet_explained()}</p>
    </Notice>
  )
}
