import type { MatrixAnswer } from '#contract/records/matrix.ts'
import { TrainingState } from '#contract/records/training-state.ts'
import * as m from '#messages'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import type { MatrixFilters } from './matrix-query.ts'
import { STATE_SIGNS } from './state-signs.ts'

interface MatrixFilterFieldsProps {
  filters: MatrixFilters
  groups: MatrixAnswer['groups']
  collections: readonly { id: string; title: string }[]
  onChange: (filters: MatrixFilters) => void
}

/** Chooses whom and what the matrix shows. */
export function MatrixFilterFields({ filters, groups, collections, onChange }: MatrixFilterFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-3 max-sm:*:last:col-span-2 sm:grid-cols-3">
      <Filter
        label={m.matrix_group()}
        none={m.matrix_everyone()}
        value={filters.group}
        options={groups.map(({ id, name }) => [id, name])}
        onChange={(group) => onChange({ ...filters, group })}
      />
      <Filter
        label={m.matrix_collection()}
        none={m.matrix_all_trainings()}
        value={filters.collection}
        options={collections.map(({ id, title }) => [id, title])}
        onChange={(collection) => onChange({ ...filters, collection })}
      />
      <Filter
        label={m.matrix_state()}
        none={m.matrix_any_state()}
        value={filters.state}
        options={TrainingState.options.slice(1).map((state) => [state, STATE_SIGNS[state].label()])}
        onChange={(state) => onChange({ ...filters, state: TrainingState.optional().parse(state) })}
      />
    </div>
  )
}

interface FilterProps {
  label: string
  /** What stands for no choice. */
  none: string
  value: string | undefined
  options: readonly (readonly [value: string, text: string])[]
  onChange: (value: string | undefined) => void
}

function Filter({ none, value = '', options, onChange, ...field }: FilterProps) {
  const all = [['', none] as const, ...options]
  return <ChoiceField {...field} value={value} options={all} onChange={(chosen) => onChange(chosen || undefined)} />
}
