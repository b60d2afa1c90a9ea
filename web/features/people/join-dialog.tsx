import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type Person, PersonAnswer } from '#contract/team/people.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormField, Input } from '#web/ui/form-controls.tsx'
import { ALL_PEOPLE, peopleQuery, personPath, useChange } from './people-queries.ts'

/** People who are offered; the search finds the others. */
const OFFERED_MAX = 8

/** Which other entry is the same person. */
export function JoinDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const id = useId()
  const [query, setQuery] = useState('')
  const { data } = useInfiniteQuery(peopleQuery(useApi(), { ...ALL_PEOPLE, query }))
  const others = (data?.pages ?? []).flatMap(({ people }) => people).filter((each) => each.id !== person.id)
  const join = useChange((callApi, into: string) =>
    callApi({ path: personPath(person, '/join'), method: 'POST', body: { into }, schema: PersonAnswer }),
  )
  return (
    <Dialog isOpen onOpenChange={onClose} title={person.name} description={m.join_entries_explained()}>
      <FormField id={id} label={m.search_people()}>
        {(links) => <Input {...links} type="search" onChange={({ target }) => setQuery(target.value.trim())} />}
      </FormField>
      <ul className="mt-3 grid grid-cols-1 gap-1">
        {others.slice(0, OFFERED_MAX).map((other) => (
          <li key={other.id}>
            <Button
              variant="ghost"
              className="h-auto! min-h-10 w-full justify-start! py-2 text-start whitespace-normal!"
              isBusy={join.isPending && join.variables === other.id}
              onClick={() => join.mutate(other.id, { onSuccess: onClose })}
            >
              <span className="min-w-0 wrap-anywhere">{other.name}</span>
              {other.number !== null && <span className="text-ink-faint">{other.number}</span>}
            </Button>
          </li>
        ))}
      </ul>
      {others.length === 0 && <p className="mt-3 text-sm text-ink-soft">{m.nobody_matches()}</p>}
    </Dialog>
  )
}
