import { queryOptions, useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { Link } from 'react-router-dom'
import { DigestAnswer, type DigestQuestion } from '#contract/feedback/questions.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { ORGANIZATION_KEY } from '#web/lib/module-cache.ts'
import { Badge, SectionCard } from '#web/ui/card.tsx'

function digestQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: [...ORGANIZATION_KEY, 'questions-digest'],
    queryFn: ({ signal }) => callApi({ path: '/api/questions', schema: DigestAnswer, signal }),
    retry: false,
  })
}

/** What learners asked this week that no video covers; nothing where nothing was, or while it is not known. */
export function QuestionsDigest({ className = '' }: { className?: string }) {
  const { data } = useQuery(digestQuery(useApi()))
  if (data === undefined || data.questions.length === 0) return null
  return (
    <SectionCard title={m.asked_this_week()} className={`p-5 ${className}`}>
      <ul className="mt-3 grid grid-cols-1 gap-3 text-sm">
        {data.questions.map((question) => (
          <DigestItem key={`${question.moduleId} ${question.text}`} question={question} />
        ))}
      </ul>
    </SectionCard>
  )
}

function DigestItem({ question: { moduleId, title, text, people, isAnswered } }: { question: DigestQuestion }) {
  return (
    <li className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      <Link
        to={`/training/${encodeURIComponent(moduleId)}/questions`}
        dir="auto"
        className="-my-1 min-w-0 py-1 font-medium underline-offset-2 wrap-anywhere hover:underline"
      >
        {text}
      </Link>
      {isAnswered ? (
        <Badge tone="brand">
          <Check aria-hidden="true" className="size-3.5" />
          {m.answered_noun()}
        </Badge>
      ) : (
        <Badge tone="warn">{m.asked_by_people({ count: people })}</Badge>
      )}
      <span dir="auto" className="basis-full text-ink-faint wrap-anywhere">
        {title}
      </span>
    </li>
  )
}
