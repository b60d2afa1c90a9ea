import { useQuery } from '@tanstack/react-query'
import { ClipboardCheck } from 'lucide-react'
import { useId } from 'react'
import { Done } from '#contract/module.ts'
import { Publishers, PublishersAnswer } from '#contract/review.ts'
import type { Review } from '#contract/version.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { formatDate } from '#web/lib/format/format-date.ts'
import { makeEdit, useOptimisticMutation } from '#web/lib/use-optimistic-mutation.ts'
import { Button } from '#web/ui/button.tsx'
import { FormField, Select } from '#web/ui/form-controls.tsx'

interface ReviewNoteProps {
  review: Review
  mayPublish: boolean
  onReview: () => void
}

/** Shows who asks for a release of the draft, or why it was sent back. */
export function ReviewNote({ review, mayPublish, onReview }: ReviewNoteProps) {
  const { sentBack } = review
  const said = sentBack === null ? review.note : sentBack.reason
  return (
    <div role="status" className="flex flex-wrap items-start justify-between gap-3 rounded-card bg-brand-soft p-3.5">
      <div className="min-w-0 flex-1 basis-52 text-sm text-brand-ink">
        <p className="font-medium wrap-anywhere">
          {sentBack === null
            ? m.release_is_asked_for({ name: review.name, date: formatDate(review.askedAt) })
            : m.draft_was_sent_back({
                name: sentBack.name === '' ? m.an_erased_person() : sentBack.name,
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
        <Button size="small" onClick={onReview}>
          <ClipboardCheck aria-hidden="true" className="size-4" />
          {m.review_action()}
        </Button>
      )}
    </div>
  )
}

const CHOICES: Record<Publishers, () => string> = {
  anyone: m.publishers_anyone,
  owner: m.publishers_owner,
  approvers: m.publishers_approvers,
  four_eyes: m.publishers_four_eyes,
}

const PUBLISHERS_KEY = ['organization-publishers'] as const
const PATH = '/api/account/publishers'

/** Lets those who manage an organization choose who may publish its trainings. */
export function PublishersField({ moduleId }: { moduleId: string }) {
  const id = useId()
  const callApi = useApi()
  const { data } = useQuery({
    queryKey: PUBLISHERS_KEY,
    queryFn: ({ signal }) => callApi({ path: PATH, schema: PublishersAnswer, signal }),
  })
  const change = useOptimisticMutation({
    mutationFn: (publishers: Publishers) => callApi({ path: PATH, method: 'PUT', body: { publishers }, schema: Done }),
    edits: (publishers) => [makeEdit<PublishersAnswer>(PUBLISHERS_KEY, (answer) => ({ ...answer, publishers }))],
    stale: () => [PUBLISHERS_KEY, ['versions', moduleId]],
    failure: m.failed_to_change_who_may_publish(),
  })
  if (data === undefined || !data.mayChange) return null
  return (
    <FormField id={id} label={m.who_may_publish()}>
      {(links) => (
        <Select
          {...links}
          value={data.publishers}
          onChange={({ target }) => change.mutate(Publishers.parse(target.value))}
        >
          {Publishers.options.map((option) => (
            <option key={option} value={option}>
              {CHOICES[option]()}
            </option>
          ))}
        </Select>
      )}
    </FormField>
  )
}
