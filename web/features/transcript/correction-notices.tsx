import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { Done } from '#contract/module.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangedText } from '#web/ui/changed-text.tsx'
import { fillMarks, HIDDEN } from '#web/ui/fill-marks.tsx'
import { transcriptQuery } from './transcript-query.ts'
import type { Corrections, OpenLine } from './use-corrections.ts'

interface CorrectionNoticesProps {
  corrections: Corrections
  /** Opens what was being typed again. */
  onGoOn: () => void
}

/** Corrections that are in no line of the transcript. */
export function CorrectionNotices({ corrections, onGoOn }: CorrectionNoticesProps) {
  const { canCorrect, kept: storedCorrection, corrector } = corrections
  return (
    <>
      {storedCorrection && <KeptLine {...{ corrections, onGoOn }} line={storedCorrection} />}
      {canCorrect && corrector.orphaned.length > 0 && <OrphanedNotice corrections={corrections} />}
    </>
  )
}

/** What was being typed when a run began; while that lasts nothing can be corrected. */
function KeptLine({ line, corrections, onGoOn }: CorrectionNoticesProps & { line: OpenLine }) {
  const { canCorrect, giveUp } = corrections
  return (
    <div className="border-b border-line bg-warn-soft px-4 py-3 text-sm">
      <p role="status" className="font-medium text-warn-ink">
        {m.your_correction_of_the_line({ start: formatTime(line.start) })}
        {!canCorrect && ` ${m.go_on_when_processed()}`}
      </p>
      <p className="mt-1 wrap-anywhere">{line.draft}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        {canCorrect && (
          <Button variant="secondary" size="small" onClick={onGoOn}>
            {m.go_on_correcting()}
          </Button>
        )}
        <Button variant={canCorrect ? 'ghost' : 'secondary'} size="small" onClick={giveUp}>
          {m.discard_it()}
        </Button>
      </div>
    </div>
  )
}

/** Shows corrections that found no place in a new transcription, so that no work of a person is lost silently. */
function OrphanedNotice({ corrections: { corrector, openOrphaned } }: { corrections: Corrections }) {
  const { moduleId, orphaned } = corrector
  const callApi = useApi()
  const queryClient = useQueryClient()
  const forget = useMutation({
    mutationFn: () =>
      callApi({ path: `/api/transcript/${encodeURIComponent(moduleId)}/orphaned`, method: 'DELETE', schema: Done }),
    onError: (error) => toast.error(m.failed_to_save(), { description: error.message }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: transcriptQuery(callApi, moduleId).queryKey }),
  })
  return (
    <div className="border-b border-line bg-warn-soft px-4 py-3 text-sm">
      <p role="status" className="font-medium text-warn-ink">
        {m.corrections_without_place({ count: orphaned.length })}
      </p>
      <ul className="mt-2 grid max-h-40 gap-1 overflow-y-auto">
        {orphaned.map((correction) => (
          <li key={correction.id} className="flex flex-wrap items-start gap-x-3 gap-y-1">
            <span className="pt-1 text-xs leading-relaxed text-warn-ink tabular-nums">
              {formatTime(correction.start)}
            </span>
            <span className="min-w-0 flex-1 basis-48 pt-0.5 text-ink">
              <ChangedText before={correction.transcribed} after={correction.text} side="both" />
            </span>
            <Button variant="ghost" size="small" onClick={() => openOrphaned(correction)}>
              {fillMarks(m.put_it_in_text({ text: correction.text }), HIDDEN)}
            </Button>
          </li>
        ))}
      </ul>
      <Button
        variant="secondary"
        size="small"
        className="mt-2"
        isBusy={forget.isPending}
        onClick={() => forget.mutate()}
      >
        {m.forget_corrections({ count: orphaned.length })}
      </Button>
    </div>
  )
}
