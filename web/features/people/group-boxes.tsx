import type { Group } from '#contract/team/people.ts'
import * as m from '#messages'

interface GroupBoxesProps {
  groups: readonly Group[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** Groups to choose from. */
export function GroupBoxes({ groups, chosen, onChange }: GroupBoxesProps) {
  if (groups.length === 0) return null
  const toggle = (id: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, id] : chosen.filter((each) => each !== id))
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{m.groups_label()}</legend>
      <div className="grid max-h-48 grid-cols-1 gap-1 overflow-y-auto rounded-control border border-line p-2">
        {groups.map(({ id, name }) => (
          <label
            key={id}
            className="flex min-h-9 items-center gap-2.5 rounded-control px-2 text-sm hover:bg-sunken pointer-coarse:min-h-11"
          >
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={({ target }) => toggle(id, target.checked)}
              className="size-4 shrink-0 accent-brand"
            />
            <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
