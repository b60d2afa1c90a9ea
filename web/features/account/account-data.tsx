import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router-dom'
import { ERASE_WORD, EraseAnswer } from '#contract/account.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { useIsOnline } from '#web/lib/browser-state.ts'
import { useDownload } from '#web/lib/download.ts'
import { formatMoment } from '#web/lib/format/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { SectionCard } from '#web/ui/card.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { fillMarks } from '#web/ui/fill-marks.tsx'
import { FormField, Input } from '#web/ui/form-controls.tsx'

const EVERYTHING = { path: '/api/account/export', filename: 'adapt-data.json' }

export function DownloadData() {
  const { mutate, isPending, isSuccess, error } = useDownload()
  const isOnline = useIsOnline()
  return (
    <SectionCard title={m.download_everything()} headingClass="text-lg font-semibold" className="p-6">
      <p className="mt-2 text-ink-soft">{m.one_json_file_with_your()}</p>
      <Button
        className="mt-5"
        variant="secondary"
        disabled={!isOnline}
        isBusy={isPending}
        onClick={() => mutate(EVERYTHING)}
      >
        {!isPending && <Download aria-hidden="true" className="size-4" />}
        {m.download_my_data()}
      </Button>
      <p role="status" className="mt-3 text-sm text-ink-soft empty:hidden">
        {isPending && m.collecting_your_data()}
        {isSuccess && m.the_file_is_in_your()}
      </p>
      {error && (
        <p role="alert" className="mt-3 text-sm text-danger-ink">
          {m.your_data_could_not_be({ message: error.message })}
        </p>
      )}
    </SectionCard>
  )
}

/** Asks for a typed word, since nothing brings back what goes then. */
function EraseForm({ onCancel, onErased }: { onCancel: () => void; onErased: (answer: EraseAnswer) => void }) {
  const erase = useErase(onErased)
  const [word, setWord] = useState('')
  const [problem, setProblem] = useState<string>()
  function submit(event: FormEvent) {
    event.preventDefault()
    const isConfirmed = word.trim().toLowerCase() === ERASE_WORD
    setProblem(isConfirmed ? undefined : m.type_erase_word_to_go({ ERASE_WORD }))
    if (isConfirmed && !erase.isPending) erase.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <FormField id="erase-word" label={m.type_erase_word_to_confirm({ ERASE_WORD })} problem={problem}>
        {(links) => (
          <Input
            {...links}
            value={word}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => setWord(event.target.value)}
          />
        )}
      </FormField>
      {erase.error && (
        <p role="alert" className="mt-3 text-sm text-danger-ink">
          {m.your_data_could_not_be_erased({ message: erase.error.message })}
        </p>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onCancel}>
          {m.cancel()}
        </Button>
        <Button type="submit" variant="danger" isBusy={erase.isPending}>
          {m.erase_my_data()}
        </Button>
      </div>
    </form>
  )
}

function useErase(onErased: (answer: EraseAnswer) => void) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () =>
      callApi({ path: '/api/account', method: 'DELETE', body: { confirm: ERASE_WORD }, schema: EraseAnswer }),
    onSuccess: (answer) => {
      // What the pages remember is of what is gone.
      queryClient.clear()
      onErased(answer)
    },
  })
}

export function EraseData() {
  const [isOpen, setIsOpen] = useState(false)
  const [erased, setErased] = useState<EraseAnswer | null>(null)
  const isOnline = useIsOnline()
  return (
    <SectionCard title={m.erase_everything()} headingClass="text-lg font-semibold" className="p-6">
      {erased ? <Erased {...erased} /> : <WhatGoes />}
      {!erased && (
        <Button className="mt-5" variant="danger" disabled={!isOnline} onClick={() => setIsOpen(true)}>
          {m.erase_my_data_opens()}
        </Button>
      )}
      <p className="mt-5 border-t border-line pt-4 text-sm text-ink-soft">{m.your_sign_in_itself_is()}</p>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title={m.erase_all_your_data()}
        description={m.this_cannot_be_taken_back()}
      >
        <EraseForm
          onCancel={() => setIsOpen(false)}
          onErased={(answer) => {
            setIsOpen(false)
            setErased(answer)
          }}
        />
      </Dialog>
    </SectionCard>
  )
}

function WhatGoes() {
  return (
    <div className="mt-2 text-ink-soft">
      <p>{m.at_once_and_for_good()}</p>
      <ul className="mt-2 list-disc space-y-1 ps-5 marker:text-ink-faint">
        <li>{m.your_modules_with_their_videos()}</li>
        <li>{m.your_feedback_and_your_conversations()}</li>
        <li>{m.your_name_on_what_you()}</li>
      </ul>
      <p className="mt-3">{m.modules_of_an_organization_stay()}</p>
      <p className="mt-3">
        {m.account_records_first()}{' '}
        <Link to="/team/records" className="font-medium text-ink underline underline-offset-2">
          {m.records_tab()}
        </Link>
      </p>
    </div>
  )
}

function Erased({ isDone, modulesLeft, removedBy }: EraseAnswer) {
  return (
    <div role="status" className="mt-2 text-ink-soft">
      <p>{isDone ? m.your_data_is_erased_it() : m.your_data_is_being_erased()}</p>
      {modulesLeft > 0 && (
        <p className="mt-2">
          {fillMarks(m.files_leave_storage({ count: modulesLeft, moment: formatMoment(removedBy) }), {
            time: (inner) => <time dateTime={removedBy}>{inner}</time>,
          })}
        </p>
      )}
    </div>
  )
}
