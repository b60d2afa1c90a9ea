import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { CorrectionAnswer, type CorrectTranscript, type TranscriptAnswer } from '#contract/transcript.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { showUndo } from '#web/ui/toast.tsx'
import { transcriptQuery } from './transcript-query.ts'

/** Each line with the text that it had and the one that it gets. */
export interface Correction extends Partial<Pick<CorrectTranscript, 'glossary'>> {
  edits: Required<CorrectTranscript['edits'][number]>[]
}

/**
 * Corrects lines of the transcript, says so, and offers to take it back.
 * @param onCorrected called when quotes of steps have changed too
 */
export function useCorrectTranscript(moduleId: string, onCorrected: () => void) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const { queryKey } = transcriptQuery(callApi, moduleId)
  const correct = useMutation({
    // Without a connection it fails and says so, rather than wait with a line that looks as if it were being saved.
    networkMode: 'always',
    mutationFn: ({ edits, glossary = [] }: Correction) =>
      callApi({
        path: `/api/transcript/${encodeURIComponent(moduleId)}`,
        method: 'PATCH',
        body: { edits, glossary } satisfies CorrectTranscript,
        schema: CorrectionAnswer,
      }),
    onSuccess: async ({ segments, isInGlossary }, { edits, glossary = [] }) => {
      // A list that is on its way may be older than the correction.
      await queryClient.cancelQueries({ queryKey })
      const corrected = new Map(segments.map((segment) => [segment.id, segment]))
      queryClient.setQueryData(queryKey, (now: TranscriptAnswer | undefined) =>
        now === undefined
          ? now
          : { ...now, segments: now.segments.map((segment) => corrected.get(segment.id) ?? segment) },
      )
      // A correction that had no place may have found it.
      if ((queryClient.getQueryData(queryKey)?.orphaned.length ?? 0) > 0)
        void queryClient.invalidateQueries({ queryKey })
      onCorrected()
      const back = edits.map(({ id, was, text }) => ({ id, was: text, text: was }))
      if (edits.length > 0) {
        showUndo(m.lines_corrected({ count: edits.length }), () => correct.mutate({ edits: back }))
      }
      if (glossary.length > 0) notifyGlossary(glossary, isInGlossary)
    },
    onError: (error) => {
      toast.error(m.failed_to_save(), { description: error.message })
      return queryClient.invalidateQueries({ queryKey })
    },
  })
  return correct
}

function notifyGlossary(words: readonly string[], isAdded: boolean): void {
  const list = words.map((word) => `“${word}”`).join(', ')
  if (isAdded) toast.success(m.list_will_be_expected_the({ list }))
  else toast.warning(m.the_glossary_is_full(), { description: m.there_is_no_room_for({ list }) })
}
