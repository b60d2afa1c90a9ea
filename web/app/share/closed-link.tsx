import { Lock } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { REQUEST_TIMEOUT_MS } from '#contract/limits.ts'
import type { UnlockRequest } from '#contract/share.ts'
import type { SharePageData } from '#contract/share-page.ts'
import * as m from '#messages'
import { Gone } from '#web/features/share/share-states.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'

interface ClosedLinkProps {
  linkId: string
  closed: SharePageData['closed']
  /** Loads the page again, with what the link opens now. */
  reload?: () => void
}

/** A link that does not open: it needs a password, has ended, or was replaced. */
export function ClosedLink({ linkId, closed, reload = () => window.location.reload() }: ClosedLinkProps) {
  if (closed === undefined) return <PasswordForm {...{ linkId, reload }} />
  const title = closed === 'link_ended' ? m.this_link_has_ended() : m.this_link_was_replaced()
  return <Gone title={title}>{m.ask_the_person_who_sent_it()}</Gone>
}

const FAILURES: Partial<Record<number, () => string>> = {
  403: m.this_is_not_the_password,
  429: m.too_many_passwords_were_tried,
}

/** Sends the password; once it is right, the server has set a cookie and the page comes with its training. */
function PasswordForm({ linkId, reload }: Required<Pick<ClosedLinkProps, 'linkId' | 'reload'>>) {
  const id = useId()
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string | undefined>()
  const input = useRef<HTMLInputElement>(null)
  // The only thing that can be done on this page.
  useEffect(() => input.current?.focus(), [])

  async function unlock(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const field = input.current
    if (field === null || field.value.trim() === '') return field?.focus()
    setIsBusy(true)
    setProblem(undefined)
    const status = await askToUnlock(linkId, field.value)
    // The page reloads, also where the link has ended meanwhile.
    if (status === 200 || status === 404 || status === 410) return reload()
    setIsBusy(false)
    setProblem((FAILURES[status] ?? m.the_password_could_not_be_checked)())
    field.select()
  }

  return (
    <div className="mx-auto w-full max-w-md px-4 py-12 sm:py-20">
      <Card className="p-6 sm:p-8">
        <Lock aria-hidden="true" className="size-8 text-brand" />
        <h1 className="mt-4 text-xl font-semibold sm:text-2xl">{m.this_link_needs_a_password()}</h1>
        <p className="mt-2 text-sm text-ink-soft">{m.you_have_it_from_the_sender()}</p>
        <form onSubmit={unlock} className="mt-6 grid gap-5">
          <div className="grid gap-2">
            <label htmlFor={id} className="text-sm font-medium">
              {m.password_noun()}
            </label>
            <input
              id={id}
              ref={input}
              name="password"
              type="password"
              autoComplete="current-password"
              required
              aria-invalid={problem === undefined ? undefined : true}
              aria-describedby={problem === undefined ? undefined : `${id}-problem`}
              className="h-11 w-full rounded-control border border-line-strong bg-surface px-3"
            />
            <p id={`${id}-problem`} role="alert" className="text-sm font-medium text-danger-ink">
              {problem}
            </p>
          </div>
          <Button type="submit" isBusy={isBusy}>
            {m.open_the_training()}
          </Button>
        </form>
      </Card>
    </div>
  )
}

/** Status of the answer; 0 without one. */
async function askToUnlock(linkId: string, password: string): Promise<number> {
  try {
    const answer = await fetch(`/api/share/${encodeURIComponent(linkId)}/unlock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ password } satisfies UnlockRequest),
      credentials: 'same-origin',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    return answer.status
  } catch {
    return 0
  }
}
