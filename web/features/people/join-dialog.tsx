import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type Person, PersonAnswer } from '#contract/team/people.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { AlertDialog, Dialog } from '#web/ui/dialog.tsx'
import { FormField, Input } from '#web/ui/form-controls.tsx'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { LoadFailure } from '#web/ui/notice.tsx'
import { ALL_PEOPLE, peopleQuery, personPath, useChange } from './people-queries.ts'

/** People who are offered; the search finds the others. */
const OFFERED_MAX = 8

/** Which other entry is the same person; asks before one of the two goes for good. */
export function JoinDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const [kept, setKept] = useState<Person | null>(null)
  const join = useChange((callApi, into: string) =>
    callApi({ path: personPath(person, '/join'), method: 'POST', body: { into }, schema: PersonAnswer }),
  )
  const explained = m.join_question_explained({ name: describe(person), kept: kept === null ? '' : describe(kept) })
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={m.join_entries()}
      description={m.join_entries_explained({ name: describe(person) })}
    >
      <OtherEntries person={person} busyId={join.isPending ? join.variables : null} onChoose={setKept} />
      <AlertDialog
        isOpen={kept !== null}
        onOpenChange={(isOpen) => !isOpen && setKept(null)}
        title={m.join_question()}
        description={explained}
        confirmLabel={m.join_action()}
        onConfirm={() => kept !== null && join.mutate(kept.id, { onSuccess: onClose })}
      />
    </Dialog>
  )
}

/** Two entries of one person may have one name. */
function describe({ name, number }: Person): string {
  return number === null ? name : `${name} (${number})`
}

interface OtherEntriesProps {
  person: Person
  /** Id of the entry that is being joined. */
  busyId: string | null
  onChoose: (other: Person) => void
}

function OtherEntries({ person, busyId, onChoose }: OtherEntriesProps) {
  const id = useId()
  const [query, setQuery] = useState('')
  const { data, isPending, isFetching, refetch } = useInfiniteQuery(peopleQuery(useApi(), { ...ALL_PEOPLE, query }))
  const others = (data?.pages ?? []).flatMap(({ people }) => people).filter((each) => each.id !== person.id)
  return (
    <>
      <FormField id={id} label={m.search_people()}>
        {(links) => <Input {...links} type="search" onChange={({ target }) => setQuery(target.value.trim())} />}
      </FormField>
      <ul className="mt-3 grid grid-cols-1 gap-2">
        {others.slice(0, OFFERED_MAX).map((other) => (
          <li key={other.id}>
            <Button
              variant="secondary"
              className="h-auto! min-h-10 w-full justify-start! py-2 text-start whitespace-normal!"
              isBusy={busyId === other.id}
              onClick={() => busyId === null && onChoose(other)}
            >
              <bdi className="min-w-0 wrap-anywhere">{other.name}</bdi>
              {other.number !== null && <bdi className="text-ink-faint">{other.number}</bdi>}
            </Button>
          </li>
        ))}
      </ul>
      {data !== undefined && others.length === 0 && <p className="mt-3 text-sm text-ink-soft">{m.nobody_matches()}</p>}
      {isPending && <LoadingSkeleton what={m.people_tab()} className="mt-3 h-40 rounded-control" />}
      {data === undefined && !isPending && (
        <LoadFailure
          className="mt-3"
          message={m.failed_to_load_what({ what: m.people_tab() })}
          retryLabel={m.try_again_button()}
          isBusy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
    </>
  )
}
