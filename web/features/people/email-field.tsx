import { EMAIL_MAX_CHARS } from '#contract/limits.ts'
import { PersonEmail } from '#contract/team/people.ts'
import * as m from '#messages'
import { FormField, Input } from '#web/ui/form-controls.tsx'

/** Whether something was written that is no e-mail address. */
export function isNoAddress(text: string): boolean {
  return text.trim() !== '' && !PersonEmail.safeParse(text).success
}

interface EmailFieldProps {
  id: string
  label: string
  value: string
  /** Whether it was tried to save it, so that a mistake is named. */
  isRefused: boolean
  onChange: (value: string) => void
}

/** An e-mail address that may be left out. */
export function EmailField({ id, label, value, isRefused, onChange }: EmailFieldProps) {
  const problem = isRefused && isNoAddress(value) ? m.email_is_wrong() : undefined
  return (
    <FormField id={id} label={label} hint={m.may_be_empty()} problem={problem}>
      {(links) => (
        <Input
          {...links}
          inputMode="email"
          dir="ltr"
          value={value}
          maxLength={EMAIL_MAX_CHARS}
          autoComplete="off"
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </FormField>
  )
}
