import clsx from 'clsx'
import { ClipboardCheck } from 'lucide-react'
import type { Review } from '#contract/version.ts'
import * as m from '#messages'
import { formatDate } from '#web/lib/format/format-date.ts'
import { Button } from '#web/ui/button.tsx'

interface ReviewNoteProps {
  review: Review
  mayPublish: boolean
  /** Whether a version can be made of the draft. */
  isReady: boolean
  onReview: () => void
}

/** Shows who asks for a release of the draft, or why it was sent back. */
export function ReviewNote({ review, mayPublish, isReady, onReview }: ReviewNoteProps) {
  const { sentBack } = review
  const said = sentBack === null ? review.note : sentBack.reason
  return (
    <div
      role="status"
      className={clsx(
        'flex flex-wrap items-start justify-between gap-3 rounded-card p-3.5',
        sentBack === null ? 'bg-brand-soft text-brand-ink' : 'bg-warn-soft text-warn-ink',
      )}
    >
      <div className="min-w-0 flex-1 basis-52 text-sm">
        <p className="font-medium wrap-anywhere">
          {sentBack === null
            ? m.release_is_asked_for({ name: review.name, date: formatDate(review.askedAt) })
            : m.draft_was_sent_back({
                name: sentBack.name === '' ? m.record_erased_person() : sentBack.name,
                date: formatDate(sentBack.sentBackAt),
              })}
        </p>
        {said !== '' && (
          <p dir="auto" className="mt-1 wrap-anywhere whitespace-pre-line">
            {said}
          </p>
        )}
      </div>
      {sentBack === null && mayPublish && (
        <Button size="small" disabled={!isReady} onClick={onReview}>
          <ClipboardCheck aria-hidden="true" className="size-4" />
          {m.review_action()}
        </Button>
      )}
    </div>
  )
}
