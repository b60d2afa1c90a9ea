import { useInfiniteQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useDeferredValue, useId, useState } from 'react'
import type { Person } from '#contract/team/people.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { FormField, Input } from '#web/ui/form-controls.tsx'
import { ALL_PEOPLE, peopleQuery } from './people-queries.ts'

/** People who are offered for what was typed. */
const OFFERED_MAX = 5

interface PersonBoxesProps {
  /** Ids. */
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** People to choose one by one, found by their names. */
export function PersonBoxes({ chosen, onChange }: PersonBoxesProps) {
  const id = useId()
  const [query, setQuery] = useState('')
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const asked = useDeferredValue(query.trim())
  const { data } = useInfiniteQuery({
    ...peopleQuery(useApi(), { ...ALL_PEOPLE, query: asked }),
    enabled: asked !== '',
  })
  const found = asked === '' ? [] : (data?.pages ?? []).flatMap(({ people }) => people)
  const offered = found.filter((person) => !chosen.includes(person.id)).slice(0, OFFERED_MAX)
  function add({ id: personId, name }: Person) {
    setNames({ ...names, [personId]: name })
    onChange([...chosen, personId])
    setQuery('')
  }
  return (
    <div>
      <FormField id={id} label={m.assign_to_people()}>
        {(links) => (
          <Input
            {...links}
            type="search"
            value={query}
            placeholder={m.search_people()}
            onChange={({ target }) => setQuery(target.value)}
          />
        )}
      </FormField>
      {offered.length > 0 && (
        <ul className="mt-1 rounded-control border border-line p-1">
          {offered.map((person) => (
            <li key={person.id}>
              <Button variant="ghost" size="small" className="w-full justify-start!" onClick={() => add(person)}>
                <span className="truncate">{person.name}</span>
                {person.number !== null && <span className="text-ink-faint">{person.number}</span>}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ul className="mt-2 flex flex-wrap gap-1.5 empty:hidden">
        {chosen.map((each) => (
          <li key={each} className="max-w-full">
            <Button
              variant="secondary"
              size="small"
              className="max-w-full"
              onClick={() => onChange(chosen.filter((other) => other !== each))}
            >
              <span className="truncate">{names[each]}</span>
              <X aria-hidden="true" className="size-3.5 shrink-0" />
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
