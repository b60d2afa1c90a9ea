import { useId } from 'react'
import { PERSON_NAME_MAX_CHARS } from '#contract/limits.ts'
import * as m from '#messages'
import { FormField, Input, Textarea } from './form-controls.tsx'

interface NameFieldProps {
  name: string
  onChange: (name: string) => void
}

/** Under which name somebody says something that is kept. */
export function NameField({ name, onChange }: NameFieldProps) {
  const id = useId()
  return (
    <FormField id={id} label={m.your_name()}>
      {(links) => (
        <Input
          {...links}
          required
          dir="auto"
          autoComplete="name"
          maxLength={PERSON_NAME_MAX_CHARS}
          value={name}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </FormField>
  )
}

interface LongTextFieldProps {
  label: string
  value: string
  maxLength: number
  onChange: (value: string) => void
}

/** A paragraph of somebody's own words. */
export function LongTextField({ label, value, maxLength, onChange }: LongTextFieldProps) {
  const id = useId()
  return (
    <FormField id={id} label={label}>
      {(links) => (
        <Textarea
          {...links}
          rows={3}
          dir="auto"
          maxLength={maxLength}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </FormField>
  )
}
