import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { formatDate } from '#web/lib/format/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { SectionCard } from '#web/ui/card.tsx'
import { CheckDialog } from './check-dialog.tsx'
import { dueReviewsQuery } from './versions-query.ts'

/** Trainings whose version is to be looked at again; nothing where there are none, or while it is not known. */
export function ReviewsDue({ className = '' }: { className?: string }) {
  const { data = [] } = useQuery(dueReviewsQuery(useApi()))
  const [checkedId, setCheckedId] = useState<string | null>(null)
  const checked = data.find(({ id }) => id === checkedId)
  const [isOpen, setIsOpen] = useState(false)
  if (data.length === 0 && !isOpen) return null
  return (
    <SectionCard title={m.due_for_review()} className={`p-5 ${className}`}>
      <ul className="mt-3 grid grid-cols-1 gap-3 text-sm">
        {data.map((training) => (
          <li key={training.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <div className="min-w-0 flex-1 basis-52">
              <Link
                to={`/training/${encodeURIComponent(training.id)}/versions`}
                dir="auto"
                className="block font-medium underline-offset-2 wrap-anywhere hover:underline"
              >
                {training.title}
              </Link>
              <p className="mt-0.5 text-warn-ink">{m.review_due_since({ date: formatDate(training.dueAt) })}</p>
            </div>
            {training.mayPublish && (
              <Button
                variant="secondary"
                size="small"
                aria-label={m.still_right_of({ title: training.title })}
                onClick={() => {
                  setCheckedId(training.id)
                  setIsOpen(true)
                }}
              >
                {m.still_right_action()}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {checked !== undefined && (
        <CheckDialog
          key={checked.id}
          moduleId={checked.id}
          published={checked.published}
          isOpen={isOpen}
          onClose={() => setIsOpen(false)}
        />
      )}
    </SectionCard>
  )
}
