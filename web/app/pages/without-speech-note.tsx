import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { TranscriptAnswer, VideoPart } from '#contract/transcript.ts'
import * as m from '#messages'
import { proposalsQuery } from '#web/features/proposal/proposal-panel.tsx'
import { NextAction, NextActions } from '#web/features/training/next-actions.tsx'
import { useApi } from '#web/lib/api.ts'
import { formatTime } from '#web/lib/format/format-time.ts'
import type { LoadedModule } from '#web/lib/module-cache.ts'
import { Card } from '#web/ui/card.tsx'
import { FindScenes, ModuleCaptions, takesCaptions } from './failed-training.tsx'

/** Where there are more parts, the others are only counted. */
const NAMED_PARTS = 5

/** "from 00:32 to 05:00, from 07:10 to 08:00, and in 3 more parts" */
function listParts(parts: readonly VideoPart[]): string {
  const named = parts.length > NAMED_PARTS + 1 ? parts.slice(0, NAMED_PARTS) : parts
  const texts = named.map(({ start, end }) => m.from_time_to_time({ start: formatTime(start), end: formatTime(end) }))
  const count = parts.length - named.length
  const all = count === 0 ? texts : [...texts, m.in_more_parts({ count })]
  return new Intl.ListFormat(m.language_tag(), { type: 'conjunction' }).format(all)
}

interface WithoutSpeechNoteProps {
  module: LoadedModule
  parts: TranscriptAnswer['withoutSpeech']
}

/** Says to an owner which parts of a video the steps are not of, and what can be done for these. */
export function WithoutSpeechNote({ module, parts }: WithoutSpeechNoteProps) {
  const queryClient = useQueryClient()
  const isShown = parts.length > 0 && takesCaptions(module)
  const query = proposalsQuery(useApi(), module.id)
  const { data: proposals = [] } = useQuery({ ...query, enabled: isShown })
  if (!isShown) return null
  return (
    <Card className="px-4 py-3">
      <section aria-labelledby="without-speech-heading">
        <h3 id="without-speech-heading" className="text-sm font-semibold">
          {m.parts_without_speech()}
        </h3>
        <p className="mt-1 text-sm">{m.no_understandable_speech({ parts: listParts(parts) })}</p>
        <p className="mt-1 mb-3 text-sm text-ink-soft">{m.the_steps_tell_what_was_understood()}</p>
        <NextActions>
          <NextAction way="captions" durationS={module.totalDuration}>
            <ModuleCaptions module={module} look={{ variant: 'secondary', size: 'small' }} />
          </NextAction>
          {/* Beside what is proposed already, the server takes no scenes. */}
          {proposals.length === 0 && (
            <NextAction way="scenes" durationS={parts.reduce((sum, { start, end }) => sum + end - start, 0)}>
              <FindScenes
                module={module}
                look={{ size: 'small' }}
                onFound={() => queryClient.invalidateQueries({ queryKey: query.queryKey })}
              />
            </NextAction>
          )}
        </NextActions>
      </section>
    </Card>
  )
}
