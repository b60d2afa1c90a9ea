import { useUser } from '@clerk/react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { FileCheck2, Printer, SearchX } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { RecordFilter, type ShownRecord } from '#contract/records/record-list.ts'
import * as m from '#messages'
import { nameOf as nameOfUser } from '#web/features/auth/name-of.ts'
import { KeepingCard } from '#web/features/records/keeping-card.tsx'
import { KIND_LABELS, nameOf } from '#web/features/records/record-labels.ts'
import { recordsQuery, type ShownFilter, useChangeRecords } from '#web/features/records/record-queries.ts'
import { RecordRow } from '#web/features/records/record-row.tsx'
import { RecordsState } from '#web/features/records/records-state.tsx'
import { SignOffCard } from '#web/features/records/sign-off-card.tsx'
import { useApi } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { Select } from '#web/ui/form-controls.tsx'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { ListFailed, Notice } from '#web/ui/notice.tsx'

/** The training records of the organization, with all that keeps them and shows that they hold. */
export function RecordsPage() {
  usePageTitle(m.records_tab())
  const [search] = useSearchParams()
  const { data: filter = {} } = RecordFilter.pick({ person: true, training: true, kind: true }).safeParse(
    Object.fromEntries(search),
  )
  const pages = useInfiniteQuery(recordsQuery(useApi(), filter))
  const [first] = pages.data?.pages ?? []
  if (first === undefined && pages.isPending) return <LoadingSkeleton what={m.records_tab()} className="h-96" />
  if (first === undefined)
    return (
      <ListFailed
        title={m.failed_to_load_what({ what: m.records_tab() })}
        error={pages.error}
        isBusy={pages.isFetching}
        onRetry={() => pages.refetch()}
      />
    )
  const records = pages.data?.pages.flatMap((page) => page.records) ?? []
  return (
    <div className="grid gap-8">
      {first.head.seq > 0 && <RecordsState {...first} />}
      {first.head.seq === 0 ? (
        <NoRecords />
      ) : (
        <FilteredRecords {...{ records, filter }} isHeld={first.keeping.hold !== null} />
      )}
      {pages.hasNextPage && (
        <Button
          variant="secondary"
          className="justify-self-center"
          isBusy={pages.isFetchingNextPage}
          onClick={() => pages.fetchNextPage()}
        >
          {m.load_more()}
        </Button>
      )}
      <KeepingCard key={JSON.stringify(first.keeping)} keeping={first.keeping} />
      <SignOffCard />
    </div>
  )
}

function NoRecords() {
  return (
    <Notice icon={FileCheck2} level={2} title={m.records_none()}>
      <p>{m.records_none_hint()}</p>
    </Notice>
  )
}

interface FilteredProps {
  records: readonly ShownRecord[]
  filter: ShownFilter
  /** By a legal hold, during which nobody is erased. */
  isHeld: boolean
}

function FilteredRecords({ records, filter, isHeld }: FilteredProps) {
  return (
    <section aria-label={m.records_tab()}>
      <FilterBar {...{ records, filter, isHeld }} />
      {records.length === 0 ? (
        <Notice icon={SearchX} level={2} title={m.records_none_found()} />
      ) : (
        <Card className="px-4 sm:px-5">
          <ul className="divide-y divide-line">
            {records.map((record) => (
              <RecordRow key={record.seq} record={record} />
            ))}
          </ul>
        </Card>
      )}
    </section>
  )
}

function FilterBar({ records, filter: { person, training, kind }, isHeld }: FilteredProps) {
  const [, setSearch] = useSearchParams()
  const isFiltered = person !== undefined || training !== undefined || kind !== undefined
  const people = records.flatMap((record) => record.people)
  const found = people.find(({ id }) => id === person)
  const title = records.flatMap((record) => record.trainings).find(({ id }) => id === training)?.title
  function choose(value: string) {
    setSearch((before) => {
      before.delete('kind')
      if (value !== '') before.set('kind', value)
      return before
    })
  }
  return (
    <div className="mb-3 flex flex-wrap items-center gap-3">
      <div className="w-full sm:w-60">
        <Select aria-label={m.record_kinds()} value={kind ?? ''} onChange={(event) => choose(event.target.value)}>
          <option value="">{m.record_kind_all()}</option>
          {Object.entries(KIND_LABELS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </div>
      <h2 className="min-w-0 font-semibold wrap-anywhere empty:hidden">
        {found && <bdi>{nameOf(found)}</bdi>}
        {found && title && ' · '}
        {title && <bdi>{title}</bdi>}
      </h2>
      {isFiltered && (
        <ButtonLink to="/team/records" variant="ghost" size="small">
          {m.records_show_all()}
        </ButtonLink>
      )}
      {person !== undefined && (
        <PrintLink to={`?person=${encodeURIComponent(person)}`}>{m.records_certificate()}</PrintLink>
      )}
      {training !== undefined && (
        <PrintLink to={`?training=${encodeURIComponent(training)}`}>{m.records_attendance()}</PrintLink>
      )}
      {found?.name &&
        (isHeld ? (
          <p className="text-sm text-ink-soft">{m.problem_on_hold()}</p>
        ) : (
          <ErasePerson id={found.id} name={found.name} />
        ))}
    </div>
  )
}

function PrintLink({ to, children }: { to: string; children: string }) {
  return (
    <ButtonLink to={`/team/records/print${to}`} variant="secondary" size="small">
      <Printer aria-hidden="true" className="size-4" />
      {children}
    </ButtonLink>
  )
}

function ErasePerson({ id, name }: { id: string; name: string }) {
  const [isAsking, setIsAsking] = useState(false)
  const { user } = useUser()
  const erase = useChangeRecords()
  return (
    <>
      <Button variant="ghost" size="small" isBusy={erase.isPending} onClick={() => setIsAsking(true)}>
        {m.records_erase()}
      </Button>
      {erase.error !== null && (
        <p role="alert" className="text-sm text-danger-ink">
          {erase.error.message}
        </p>
      )}
      <AlertDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={m.records_erase_title({ name })}
        description={m.records_erase_text()}
        confirmLabel={m.records_erase_action()}
        onConfirm={() => erase.mutate({ kind: 'erase', personId: id, name: nameOfUser(user) })}
      />
    </>
  )
}
