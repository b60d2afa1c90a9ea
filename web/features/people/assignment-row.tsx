import { useState } from 'react'
import type { Assignment } from '#contract/team/assignment.ts'
import type { Group } from '#contract/team/people.ts'
import * as m from '#messages'
import { formatDate } from '#web/lib/format/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/card.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { useEndAssignment } from './assignment-queries.ts'

interface AssignmentRowProps {
  assignment: Assignment
  groups: readonly Group[]
}

/** What is asked of whom, until when, and what makes it done. */
export function AssignmentRow({ assignment, groups }: AssignmentRowProps) {
  const { id, title, people, rule, everyMonths } = assignment
  const [isAsking, setIsAsking] = useState(false)
  const end = useEndAssignment()
  const named = groups.filter((group) => assignment.groupIds.includes(group.id))
  const parts = [
    rule.reached && m.rule_reached(),
    rule.confirmed && m.rule_confirmed(),
    rule.signedOff && m.rule_signed_off(),
  ].filter((part) => part !== false)
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line py-4 last:border-0">
      <div className="min-w-0 flex-1 basis-60">
        <h3 className="font-medium wrap-anywhere">
          <bdi>{title ?? m.training_is_gone()}</bdi>
        </h3>
        <p className="mt-1 text-sm text-ink-soft">{m.done_when_parts({ parts: parts.join(' · ') })}</p>
        <p className="mt-2 flex flex-wrap gap-1.5">
          <Badge tone="brand">{m.assigned_people({ count: people })}</Badge>
          {named.map((group) => (
            <Badge key={group.id} className="max-w-full">
              <bdi className="truncate">{group.name}</bdi>
            </Badge>
          ))}
          <Due assignment={assignment} />
          {everyMonths !== null && <Badge>{m.again_in_months({ count: everyMonths })}</Badge>}
          {assignment.countsEarlier && <Badge>{m.assign_counts_earlier()}</Badge>}
        </p>
      </div>
      <Button variant="ghost" size="small" className="-mx-3" isBusy={end.isPending} onClick={() => setIsAsking(true)}>
        {m.end_assignment()}
      </Button>
      <AlertDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={m.end_assignment_question()}
        description={m.end_assignment_explained()}
        confirmLabel={m.end_assignment()}
        onConfirm={() => end.mutate(id)}
      />
    </li>
  )
}

function Due({ assignment: { dueAt, dueDays } }: { assignment: Assignment }) {
  if (dueAt !== null) return <Badge>{m.due_on({ date: formatDate(dueAt) })}</Badge>
  return dueDays === null ? null : <Badge>{m.due_in_days({ count: dueDays })}</Badge>
}
