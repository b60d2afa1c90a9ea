import type { ReactNode } from 'react'
import * as m from '#messages'
import { Card } from '#web/ui/card.tsx'

interface DraftNoteProps {
  /** Of the version that learners see. */
  number: number
  /** The way to the versions. */
  action: ReactNode
}

/** Tells an owner that learners see a version, so that what is changed here waits. */
export function DraftNote({ number, action }: DraftNoteProps) {
  return (
    <Card className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <p className="min-w-0 flex-1 basis-56 text-sm">
        <b className="font-semibold">{m.learners_see_version({ number })}</b> {m.changes_wait_until_published()}
      </p>
      {action}
    </Card>
  )
}
