import { type FormEvent, useId, useState } from 'react'
import { toast } from 'sonner'
import type { NotificationsAnswer } from '#contract/team/notifications.ts'
import * as m from '#messages'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { Button } from '#web/ui/button.tsx'
import { SectionCard } from '#web/ui/card.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { EmailField, isNoAddress } from './email-field.tsx'
import { useChangeNotifications } from './notification-queries.ts'

type MailSettings = Pick<NotificationsAnswer, 'canMail' | 'sendsReminders' | 'checkpointEmail'>

/** Which mails go out; where none can, what there is instead. */
export function MailCard({ canMail, sendsReminders, checkpointEmail }: MailSettings) {
  const change = useChangeNotifications()
  if (!canMail)
    return (
      <SectionCard title={m.reminders_title()} className="p-5">
        <p className="mt-1 text-sm text-ink-soft">{m.mail_is_missing()}</p>
      </SectionCard>
    )
  return (
    <SectionCard title={m.reminders_title()} headingClass="sr-only" className="p-5">
      <Switch
        label={m.reminders_title()}
        description={sendsReminders ? m.reminders_on() : m.reminders_off()}
        isOn={sendsReminders}
        isDisabled={change.isPending}
        onChange={(isOn) => change.mutate({ kind: 'patch', patch: { sendsReminders: isOn } })}
      />
      <CheckpointMail email={checkpointEmail} />
    </SectionCard>
  )
}

function CheckpointMail({ email }: { email: string | null }) {
  const id = useId()
  const change = useChangeNotifications()
  const [text, setText] = useState(email ?? '')
  const [isRefused, setIsRefused] = useState(false)
  const wanted = text.trim() === '' ? null : text.trim()
  const isChanged = wanted !== email
  // The button goes once it has saved.
  const hint = useFocusWhenFewer<HTMLParagraphElement>(isChanged ? 1 : 0)
  function submit(event: FormEvent) {
    event.preventDefault()
    const isWrong = isNoAddress(text)
    setIsRefused(isWrong)
    if (isWrong || !isChanged || change.isPending) return
    const patch = { checkpointEmail: wanted }
    change.mutate({ kind: 'patch', patch }, { onSuccess: () => void toast.success(m.saved()) })
  }
  return (
    <form onSubmit={submit} className="mt-5 grid gap-3 border-t border-line pt-5">
      <EmailField id={id} label={m.checkpoint_mail()} value={text} isRefused={isRefused} onChange={setText} />
      <p ref={hint} tabIndex={-1} className="-mt-2 text-sm text-ink-soft focus:outline-none">
        {m.checkpoint_mail_hint()}
      </p>
      {isChanged && (
        <Button type="submit" isBusy={change.isPending} className="justify-self-start">
          {m.save()}
        </Button>
      )}
    </form>
  )
}
