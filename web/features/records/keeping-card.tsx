import { type FormEvent, useId, useState } from 'react'
import { RECORD_WORDS_MAX_CHARS, type RecordKeeping } from '#contract/records/training-record.ts'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { SectionCard } from '#web/ui/card.tsx'
import { FormField, Input, Select } from '#web/ui/form-controls.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { NameField } from '#web/ui/text-fields.tsx'
import { ChangeFailed } from './correct-dialog.tsx'
import { useChangeRecords } from './record-queries.ts'

const MONTHS_OF_YEAR = 12
/** What laws and norms mostly ask for; 30 years and more are for ever. */
const YEARS = [1, 2, 3, 5, 10, 20]

function formatYears(months: number): string {
  const format = { style: 'unit', unit: 'year', unitDisplay: 'long', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(m.language_tag(), format).format(months / MONTHS_OF_YEAR)
}

/** For how long records are kept, whether a legal hold keeps all, and what is shown. A change is recorded under a name. */
export function KeepingCard({ keeping }: { keeping: RecordKeeping }) {
  const [wanted, setWanted] = useState(keeping)
  const isChanged = JSON.stringify(wanted) !== JSON.stringify(keeping)
  const id = useId()
  const choices = [
    ...new Set([...YEARS.map((years) => years * MONTHS_OF_YEAR), ...(keeping.months ? [keeping.months] : [])]),
  ]
  return (
    <SectionCard title={m.records_keep()} className="p-5">
      <div className="mt-4 grid gap-5">
        <FormField id={`${id}-months`} label={m.records_keep_label()}>
          {(links) => (
            <Select
              {...links}
              className="sm:max-w-60"
              value={wanted.months ?? ''}
              onChange={({ target: { value } }) =>
                setWanted({ ...wanted, months: value === '' ? null : Number(value) })
              }
            >
              <option value="">{m.records_keep_for_ever()}</option>
              {choices
                .toSorted((a, b) => a - b)
                .map((months) => (
                  <option key={months} value={months}>
                    {formatYears(months)}
                  </option>
                ))}
            </Select>
          )}
        </FormField>
        {wanted.months !== null && <p className="-mt-3 text-sm text-ink-soft">{m.records_keep_hint()}</p>}
        <Switch
          label={m.records_hold()}
          description={m.records_hold_hint()}
          isOn={wanted.hold !== null}
          onChange={(isOn) => setWanted({ ...wanted, hold: isOn ? (keeping.hold ?? '') : null })}
        />
        {wanted.hold !== null && <HoldReason hold={wanted.hold} onChange={(hold) => setWanted({ ...wanted, hold })} />}
        <Switch
          label={m.records_effort()}
          description={m.records_effort_hint()}
          isOn={wanted.showsEffort}
          onChange={(showsEffort) => setWanted({ ...wanted, showsEffort })}
        />
        {isChanged && <SaveKeeping wanted={wanted} onCancel={() => setWanted(keeping)} />}
      </div>
    </SectionCard>
  )
}

function HoldReason({ hold, onChange }: { hold: string; onChange: (hold: string) => void }) {
  return (
    <FormField id={useId()} label={m.records_hold_reason()}>
      {(links) => (
        <Input
          {...links}
          dir="auto"
          value={hold}
          maxLength={RECORD_WORDS_MAX_CHARS}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </FormField>
  )
}

function SaveKeeping({ wanted, onCancel }: { wanted: RecordKeeping; onCancel: () => void }) {
  const change = useChangeRecords()
  const [name, setName] = useState('')
  const isComplete = name.trim() !== '' && wanted.hold?.trim() !== ''
  function submit(event: FormEvent) {
    event.preventDefault()
    if (isComplete && !change.isPending) change.mutate({ kind: 'keep', ...wanted, name })
  }
  return (
    <form onSubmit={submit} className="grid gap-4 border-t border-line pt-5">
      <NameField name={name} onChange={setName} />
      <ChangeFailed error={change.error} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" disabled={!isComplete} isBusy={change.isPending}>
          {m.save()}
        </Button>
        <Button variant="secondary" onClick={onCancel}>
          {m.cancel()}
        </Button>
      </div>
    </form>
  )
}
