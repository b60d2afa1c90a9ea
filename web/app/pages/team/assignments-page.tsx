import { useQuery } from '@tanstack/react-query'
import { ClipboardList, Plus } from 'lucide-react'
import { Suspense, useState } from 'react'
import * as m from '#messages'
import { assignmentsQuery } from '#web/features/people/assignment-queries.ts'
import { AssignmentRow } from '#web/features/people/assignment-row.tsx'
import { groupsQuery } from '#web/features/people/people-queries.ts'
import { useApi } from '#web/lib/api.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton, StillLoading } from '#web/ui/loading.tsx'
import { ListFailed, Notice } from '#web/ui/notice.tsx'

const AssignDialog = lazyPart(async () => (await import('./assign-dialog.tsx')).AssignDialog)

/** What the organization asks of its people. */
export function AssignmentsPage() {
  usePageTitle(m.assignments_tab())
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section aria-label={m.assignments_tab()}>
      <Button onClick={() => setIsOpen(true)}>
        <Plus aria-hidden="true" className="size-4" />
        {m.assign_training()}
      </Button>
      <AssignmentList />
      {isOpen && (
        <Suspense>
          <AssignDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </section>
  )
}

function AssignmentList() {
  const callApi = useApi()
  const { data, error, isPending, isFetching, refetch } = useQuery(assignmentsQuery(callApi))
  const { data: groups = [] } = useQuery(groupsQuery(callApi))
  if (data === undefined) {
    if (!isPending)
      return (
        <ListFailed
          title={m.failed_to_load_what({ what: m.assignments_tab() })}
          error={error}
          isBusy={isFetching}
          onRetry={() => refetch()}
        />
      )
    return (
      <div className="mt-4">
        <Skeleton className="h-40 rounded-card" />
        <StillLoading what={m.assignments_tab()} />
      </div>
    )
  }
  if (data.length === 0)
    return (
      <Notice icon={ClipboardList} level={2} title={m.no_assignments_yet()}>
        <p>{m.no_assignments_yet_explained()}</p>
      </Notice>
    )
  return (
    <Card className="mt-4 px-4">
      <ul>
        {data.map((assignment) => (
          <AssignmentRow key={assignment.id} {...{ assignment, groups }} />
        ))}
      </ul>
    </Card>
  )
}
