import { ClipboardCheck } from 'lucide-react'
import { useId, useState } from 'react'
import { toast } from 'sonner'
import type { VersionsAnswer } from '#contract/version.ts'
import * as m from '#messages'
import { quotaSentence } from '#web/lib/api.ts'
import { formatDate } from '#web/lib/format/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { FormField, Select } from '#web/ui/form-controls.tsx'
import { CheckDialog } from './check-dialog.tsx'
import { useScheduleReviews } from './versions-query.ts'

/** Months between two reviews that are offered. */
const MONTHS = [3, 6, 12, 24, 36] as const

interface ReviewScheduleProps {
  moduleId: string
  /** The version that learners see. */
  published: number
  versions: Pick<VersionsAnswer, 'reviewMonths' | 'reviewDueAt' | 'mayPublish'>
}

/** How often the published version is to be looked at again, when that is next, and that it was. */
export function ReviewSchedule({ moduleId, published, versions }: ReviewScheduleProps) {
  const { reviewMonths, reviewDueAt, mayPublish } = versions
  const id = useId()
  const [isChecking, setIsChecking] = useState(false)
  const schedule = useScheduleReviews(moduleId, {
    onPublished: () => undefined,
    onFailed: (error) =>
      void toast.error(m.failed_to_send_it(), { description: quotaSentence(error) ?? error.message }),
  })
  const shown = schedule.isPending ? schedule.variables : reviewMonths
  const offered = [...new Set([...MONTHS, ...(shown === null ? [] : [shown])])].toSorted((one, other) => one - other)
  return (
    <div className="grid grid-cols-1 gap-3 border-t border-line pt-4">
      <FormField id={id} label={m.review_again()}>
        {(links) => (
          <Select
            {...links}
            value={shown ?? ''}
            disabled={!mayPublish}
            onChange={({ target }) => schedule.mutate(target.value === '' ? null : Number(target.value))}
          >
            <option value="">{m.review_never()}</option>
            {offered.map((months) => (
              <option key={months} value={months}>
                {m.review_every_months({ count: months })}
              </option>
            ))}
          </Select>
        )}
      </FormField>
      {reviewDueAt !== null && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 flex-1 basis-52 text-sm">
            <DueDate key={reviewDueAt} dueAt={reviewDueAt} />
          </p>
          {mayPublish && (
            <Button variant="secondary" size="small" onClick={() => setIsChecking(true)}>
              <ClipboardCheck aria-hidden="true" className="size-4" />
              {m.still_right_action()}
            </Button>
          )}
        </div>
      )}
      <CheckDialog {...{ moduleId, published }} isOpen={isChecking} onClose={() => setIsChecking(false)} />
    </div>
  )
}

function DueDate({ dueAt }: { dueAt: string }) {
  const [isDue] = useState(() => Date.parse(dueAt) <= Date.now())
  const date = formatDate(dueAt)
  return isDue ? (
    <span className="font-medium text-warn-ink">{m.review_due_since({ date })}</span>
  ) : (
    m.next_review({ date })
  )
}
