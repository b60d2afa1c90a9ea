import { useState } from 'react'
import type { EraseAnswer } from '#contract/account.ts'
import { useIsOnline } from '#web/lib/use-is-online.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EraseDialog } from './erase-dialog.tsx'

/** The way to have everything erased, and afterwards what became of it. */
export function EraseData() {
  const [isOpen, setIsOpen] = useState(false)
  const [erased, setErased] = useState<EraseAnswer | null>(null)
  const isOnline = useIsOnline()
  return (
    <Card className="p-6">
      <section aria-labelledby="erase-heading">
        <h2 id="erase-heading" className="text-lg font-semibold">
          Erase everything
        </h2>
        {erased ? <Erased {...erased} /> : <WhatGoes />}
        {!erased && (
          <Button className="mt-5" variant="danger" disabled={!isOnline} onClick={() => setIsOpen(true)}>
            Erase my data…
          </Button>
        )}
        <p className="mt-5 border-t border-line pt-4 text-sm text-ink-soft">
          Your sign-in itself is kept by Clerk. Remove it under “Manage account” in the menu behind your image.
        </p>
      </section>
      <EraseDialog isOpen={isOpen} onOpenChange={setIsOpen} onErased={setErased} />
    </Card>
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
