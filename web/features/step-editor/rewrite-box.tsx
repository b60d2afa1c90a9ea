import { useMutation } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { toast } from 'sonner'
import { REWRITE_MIN_CHARS } from '#contract/limits.ts'
import { RewriteAnswer } from '#contract/step-editing.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'

/** @see specification §7 */
const INSTRUCTION = m.remove_filler_and_fix_grammar()

/** Asks the language model for a better wording, and shows both before anything changes. */
export function RewriteBox(props: { moduleId: string; text: string; onKeep: (text: string) => void }) {
  const { moduleId, text, onKeep } = props
  const callApi = useApi()
  const rewriting = useMutation({
    mutationFn: async (before: string) => {
      const path = `/api/steps/${encodeURIComponent(moduleId)}/rewrite`
      const body = { text: before, instruction: INSTRUCTION }
      const answer = await callApi({ path, method: 'POST', body, schema: RewriteAnswer })
      return { before, after: answer.text.trim() }
    },
    onError: (error) => toast.error(m.ai_rewrite_failed_message({ message: error.message })),
  })
  const isTooShort = text.trim().length < REWRITE_MIN_CHARS
  return (
    <div className="mt-2">
      <Button
        variant="ghost"
        size="small"
        isBusy={rewriting.isPending}
        disabled={isTooShort}
        onClick={() => rewriting.mutate(text.trim())}
        className="-ms-2 text-brand-ink!"
      >
        {!rewriting.isPending && <Sparkles aria-hidden="true" className="size-4" />}
        {rewriting.isPending ? m.rewriting() : m.ai_rewrite()}
      </Button>
      {isTooShort && (
        <span className="ms-2 text-xs text-ink-faint">{m.needs_at_least_rewrite_min({ REWRITE_MIN_CHARS })}</span>
      )}
      <div role="status">
        {rewriting.data && (
          <Proposal
            {...rewriting.data}
            onKeep={() => {
              onKeep(rewriting.data.after)
              rewriting.reset()
            }}
            onDiscard={rewriting.reset}
          />
        )}
      </div>
    </div>
  )
}

interface ProposalProps {
  before: string
  after: string
  onKeep: () => void
  onDiscard: () => void
}

function Proposal({ before, after, onKeep, onDiscard }: ProposalProps) {
  const isSame = before === after
  return (
    <div className="mt-2 animate-rise rounded-control border border-line p-3.5 text-sm">
      {isSame ? (
        <p className="text-ink-soft">{m.there_is_nothing_to_improve()}</p>
      ) : (
        <dl className="grid gap-3 @xl:grid-cols-2 @xl:gap-5">
          <div>
            <dt className="text-xs font-medium text-ink-faint">{m.now()}</dt>
            <dd className="mt-1 text-ink-soft">{before}</dd>
          </div>
          <div>
            <dt className="text-xs font-medium text-brand-ink">{m.rewritten()}</dt>
            <dd className="mt-1">{after}</dd>
          </div>
        </dl>
      )}
      <div className="mt-3 flex gap-2">
        {!isSame && (
          <Button size="small" onClick={onKeep}>
            {m.keep()}
          </Button>
        )}
        <Button variant="secondary" size="small" onClick={onDiscard}>
          {isSame ? m.close() : m.discard_action()}
        </Button>
      </div>
    </div>
  )
}
