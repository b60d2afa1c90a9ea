import type { ReactNode } from 'react'
import { UNPUBLISHED } from '#contract/module.ts'
import * as m from '#messages'
import { Card } from '#web/ui/card.tsx'

interface DraftNoteProps {
  /** Of the version that learners see; {@link UNPUBLISHED} before the first. */
  number: number
  /** The way to the versions. */
  action: ReactNode
}

/** Tells an owner that learners see a version, so that what is changed here waits; or nothing, before the first. */
export function DraftNote({ number, action }: DraftNoteProps) {
  const seen = number === UNPUBLISHED ? m.only_owners_see_it_yet() : m.learners_see_version({ number })
  return (
    <Card className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <p className="min-w-0 flex-1 basis-56 text-sm">
        <b className="font-semibold">{seen}</b> {number !== UNPUBLISHED && m.changes_wait_until_published()}
      </p>
      {action}
    </Card>
  )
}
