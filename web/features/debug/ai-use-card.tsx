import { useQuery } from '@tanstack/react-query'
import type { AiUseAnswer } from '#contract/debug.ts'
import * as m from '#messages'
import { sayReached, useApi } from '#web/lib/api.ts'
import { formatDecimal } from '#web/lib/format/format-number.ts'
import { formatUsd } from '#web/lib/format/format-usd.ts'
import { SectionCard } from '#web/ui/card.tsx'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { Loaded } from '#web/ui/notice.tsx'
import { aiUseQuery } from './debug-queries.ts'

/** The dearest days of modules that are shown. */
const SHOWN = 5

export function AiUseCard() {
  const query = useQuery(aiUseQuery(useApi()))
  return (
    <SectionCard title={m.ai_use_last_30_days()} className="p-5">
      <div className="mt-3 min-h-32 text-sm">
        <Loaded query={query} what={m.ai_use()} skeleton={<LoadingSkeleton what={m.ai_use()} className="h-32" />}>
          {(answer) => <Use answer={answer} />}
        </Loaded>
      </div>
    </SectionCard>
  )
}

function Use({ answer: { scope, rows, totalUsd, reached } }: { answer: AiUseAnswer }) {
  if (totalUsd === 0) return <p className="text-ink-soft">{m.no_model_has_been_asked()}</p>
  return (
    <>
      <p className="text-2xl font-semibold tabular-nums">{formatUsd(totalUsd)}</p>
      <p className="text-xs text-ink-soft">{m.estimated_by_the_list_prices()}</p>
      {reached !== null && (
        <p role="status" className="mt-3 rounded-control bg-warn-soft p-3 text-warn-ink wrap-anywhere">
          {sayReached(reached)} {m.raise_total_ai()}
        </p>
      )}
      {scope === 'all' && rows.length > 0 && (
        <p className="mt-3 text-xs text-ink-soft">{m.dearest_of_today_and_yesterday()}</p>
      )}
      <ul className="mt-3 grid grid-cols-1 gap-2">
        {rows
          .slice(0, SHOWN)
          .map(({ moduleId, day, title, transcribedMinutes, writtenSections, modelAnswers, estimatedUsd }) => (
            <li key={`${moduleId} ${day}`} className="flex justify-between gap-4">
              <span className="min-w-0">
                <span dir="auto" className="block truncate">
                  {title}
                </span>
                <span className="block text-xs text-ink-soft tabular-nums">
                  {m.day_audio_sections_answers({
                    day,
                    minutes: formatDecimal(transcribedMinutes),
                    sections: writtenSections,
                    answers: modelAnswers,
                  })}
                </span>
              </span>
              <span className="shrink-0 tabular-nums">{formatUsd(estimatedUsd)}</span>
            </li>
          ))}
      </ul>
    </>
  )
}
