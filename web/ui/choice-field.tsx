import { useId } from 'react'
import { FormField, Select } from './form-controls.tsx'

interface ChoiceFieldProps {
  label: string
  options: readonly (readonly [value: string, text: string])[]
  value: string
  onChange: (value: string) => void
}

/** One of several, with its label. */
export function ChoiceField({ label, options, value, onChange }: ChoiceFieldProps) {
  const id = useId()
  return (
    <FormField id={id} label={label}>
      {(links) => (
        <Select {...links} value={value} onChange={({ target }) => onChange(target.value)}>
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </FormField>
  )
}
