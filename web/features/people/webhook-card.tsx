import { KeyRound, RotateCw, Trash2 } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { toast } from 'sonner'
import { WEBHOOK_URL_MAX_CHARS } from '#contract/limits.ts'
import type { Webhook } from '#contract/team/notifications.ts'
import * as m from '#messages'
import { ApiError } from '#web/lib/api-error.ts'
import { formatMoment } from '#web/lib/format/format-date.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { Button } from '#web/ui/button.tsx'
import { SectionCard } from '#web/ui/card.tsx'
import { FormField, Input } from '#web/ui/form-controls.tsx'
import { AskingButton } from './asking-button.tsx'
import { useChangeNotifications, useSaveWebhook } from './notification-queries.ts'
import { SecretDialog } from './secret-dialog.tsx'

/** Where events are sent to, how that goes, and what can be done about it. */
export function WebhookCard({ webhook }: { webhook: Webhook | null }) {
  const id = useId()
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [secret, setSecret] = useState<string | null>(null)
  const save = useSaveWebhook(setSecret)
  const explained = useFocusWhenFewer<HTMLParagraphElement>(webhook === null ? 0 : 1)
  const problem = save.error === null ? undefined : describeFailure(save.error)
  const isNew = url.trim() !== '' && url.trim() !== webhook?.url
  function submit(event: FormEvent) {
    event.preventDefault()
    if (isNew && !save.isPending) save.mutate({ url: url.trim() })
  }
  return (
    <SectionCard title={m.webhook_title()} className="p-5">
      <p ref={explained} tabIndex={-1} className="mt-1 text-sm text-ink-soft focus:outline-none">
        {m.webhook_explained()}
      </p>
      <form onSubmit={submit} className="mt-4 grid gap-3">
        <FormField id={id} label={m.webhook_address()} hint={m.webhook_address_hint()} problem={problem}>
          {(links) => (
            <Input
              {...links}
              type="url"
              dir="ltr"
              value={url}
              maxLength={WEBHOOK_URL_MAX_CHARS}
              autoComplete="off"
              spellCheck={false}
              placeholder="https://"
              onChange={({ target }) => setUrl(target.value)}
            />
          )}
        </FormField>
        {isNew && (
          <Button type="submit" isBusy={save.isPending} className="justify-self-start">
            {m.save()}
          </Button>
        )}
      </form>
      {webhook !== null && <WebhookState webhook={webhook} onSecret={setSecret} />}
      {secret !== null && (
        <SecretDialog
          secret={{
            kind: 'secret',
            title: m.webhook_secret(),
            explained: m.webhook_secret_explained(),
            text: secret,
          }}
          onClose={() => setSecret(null)}
        />
      )}
    </SectionCard>
  )
}

interface WebhookStateProps {
  webhook: Webhook
  onSecret: (secret: string) => void
}

function WebhookState({ webhook, onSecret }: WebhookStateProps) {
  const change = useChangeNotifications()
  const renew = useSaveWebhook(onSecret)
  const { url, stoppedAt, failure, waiting } = webhook
  const changing = change.isPending ? change.variables.kind : null
  const onError = (error: Error) => void toast.error(m.change_failed(), { description: describeFailure(error) })
  return (
    <div className="mt-5 grid gap-3 border-t border-line pt-4">
      <div role="status" className="grid gap-1 text-sm">
        <p className={failure === null ? 'text-ink-soft' : 'text-danger-ink'}>{describe(webhook)}</p>
        {waiting > 0 && <p className="text-ink-soft tabular-nums">{m.webhook_waiting({ count: waiting })}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        {(stoppedAt !== null || failure !== null) && (
          <Button size="small" isBusy={changing === 'retry'} onClick={() => change.mutate({ kind: 'retry' })}>
            {changing !== 'retry' && <RotateCw aria-hidden="true" className="size-4" />}
            {m.try_again_button()}
          </Button>
        )}
        <AskingButton
          icon={KeyRound}
          label={m.webhook_new_secret()}
          question={m.webhook_new_secret_title()}
          description={m.webhook_new_secret_text()}
          isBusy={renew.isPending}
          onConfirm={() => renew.mutate({ url }, { onError })}
        />
        <AskingButton
          icon={Trash2}
          label={m.webhook_remove()}
          question={m.webhook_remove_title()}
          description={m.webhook_remove_text()}
          isBusy={changing === 'remove-webhook'}
          onConfirm={() => change.mutate({ kind: 'remove-webhook' })}
        />
      </div>
    </div>
  )
}

/** How it goes with the address now, in one sentence. */
function describe({ takenAt, failure, stoppedAt }: Webhook): string {
  const reason = failure === null ? '' : describeReason(failure.reason)
  if (stoppedAt !== null) return m.webhook_stopped({ time: formatMoment(stoppedAt), reason })
  if (failure !== null) return m.webhook_not_taken({ time: formatMoment(failure.at), reason })
  return takenAt === null ? m.webhook_nothing_sent() : m.webhook_taken({ time: formatMoment(takenAt) })
}

/** Of what these calls send, the server can refuse only the address. */
function describeFailure(error: Error): string {
  const isRefused = error instanceof ApiError && error.code === 'invalid_request'
  return isRefused ? m.webhook_address_is_wrong() : error.message
}

function describeReason(reason: string): string {
  if (reason === 'timeout') return m.webhook_timeout()
  if (reason === 'refused') return m.webhook_refused()
  return reason === 'unreachable' ? m.webhook_unreachable() : m.webhook_answered({ status: reason })
}
