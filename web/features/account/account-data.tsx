import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { ERASE_WORD, EraseAnswer } from '#contract/account.ts'
import { useApi } from '#web/lib/api.ts'
import { useIsOnline } from '#web/lib/browser-state.ts'
import { useDownload } from '#web/lib/download.ts'
import { Button } from '#web/ui/button.tsx'
import { SectionCard } from '#web/ui/card.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormField, Input } from '#web/ui/form-controls.tsx'

const EVERYTHING = { path: '/api/account/export', filename: 'adapt-data.json' }

export function DownloadData() {
  const { mutate, isPending, isSuccess, error } = useDownload()
  const isOnline = useIsOnline()
  return (
    <SectionCard title="Download everything" headingClass="text-lg font-semibold" className="p-6">
      <p className="mt-2 text-ink-soft">
        One JSON file with your modules, their steps, aliases and transcripts, your feedback, what you asked the tutor
        and what you watched. It links to your videos; the links work for six hours.
      </p>
      <Button
        className="mt-5"
        variant="secondary"
        disabled={!isOnline}
        isBusy={isPending}
        onClick={() => mutate(EVERYTHING)}
      >
        {!isPending && <Download aria-hidden="true" className="size-4" />}
        Download my data
      </Button>
      <p role="status" className="mt-3 text-sm text-ink-soft empty:hidden">
        {isPending && 'Collecting your data…'}
        {isSuccess && 'The file is in your downloads.'}
      </p>
      {error && (
        <p role="alert" className="mt-3 text-sm text-danger-ink">
          Your data could not be downloaded. {error.message}
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
    setProblem(isConfirmed ? undefined : `Type “${ERASE_WORD}” to go on.`)
    if (isConfirmed && !erase.isPending) erase.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <FormField id="erase-word" label={`Type “${ERASE_WORD}” to confirm`} problem={problem}>
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
          Your data could not be erased. {erase.error.message}
        </p>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="danger" isBusy={erase.isPending}>
          Erase my data
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
    <SectionCard title="Erase everything" headingClass="text-lg font-semibold" className="p-6">
      {erased ? <Erased {...erased} /> : <WhatGoes />}
      {!erased && (
        <Button className="mt-5" variant="danger" disabled={!isOnline} onClick={() => setIsOpen(true)}>
          Erase my data…
        </Button>
      )}
      <p className="mt-5 border-t border-line pt-4 text-sm text-ink-soft">
        Your sign-in itself is kept by Clerk. Remove it under “Manage account” in the menu behind your image.
      </p>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title="Erase all your data?"
        description="This cannot be taken back, and there are no seven days. Download your data first if you want to keep any of it."
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
      <p>At once, and for good:</p>
      <ul className="mt-2 list-disc space-y-1 pl-5 marker:text-ink-faint">
        <li>your modules with their videos, steps, links and everything said about them,</li>
        <li>your feedback and your conversations with the tutor,</li>
        <li>your name on what you watched: the totals stay, but they can no longer be traced to you.</li>
      </ul>
      <p className="mt-3">Modules of an organization stay with it, without your name.</p>
    </div>
  )
}

function Erased({ isDone, modulesLeft, removedBy }: EraseAnswer) {
  return (
    <div role="status" className="mt-2 text-ink-soft">
      <p>
        {isDone
          ? 'Your data is erased. It can no longer be opened.'
          : 'Your data is being erased. Some of it takes a few more minutes.'}
      </p>
      {modulesLeft > 0 && (
        <p className="mt-2">
          The files of {modulesLeft === 1 ? '1 module' : `${modulesLeft} modules`} leave our storage by{' '}
          <time dateTime={removedBy}>{MOMENT.format(new Date(removedBy))}</time>.
        </p>
      )}
    </div>
  )
}

const MOMENT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
