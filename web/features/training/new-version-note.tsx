import { RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { isRecoverableByCaptions, isRecoverableByNewRun, type Module } from '#contract/module.ts'
import * as m from '#messages'
import { useDismissedVersion, useReprocessModule } from '#web/lib/change-module.ts'
import { failureReason, runMessage } from '#web/lib/server-sentences.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Progress } from '#web/ui/loading.tsx'
import { NextAction, NextActions } from './next-actions.tsx'

const UNKNOWN_REASON = m.reprocessing_did_not_work()

type MadeAgain = Pick<Module, 'id' | 'newVersion'>

interface NewVersionNoteProps {
  module: MadeAgain
  /** Where captions can be added, for a version that could not be made without. */
  captions: ReactNode
}

/** How far a new version of a READY module is, or why there is none. Nothing for those who do not own it. */
export function NewVersionNote({ module, captions }: NewVersionNoteProps) {
  const { newVersion } = module
  if (newVersion === null) return null
  if (newVersion.status === 'FAILED')
    return <FailedVersion key={newVersion.run} id={module.id} {...{ newVersion, captions }} />
  const { progress } = newVersion
  const message = runMessage(newVersion.message)
  return (
    <Card className="px-4 py-3">
      <section aria-labelledby="new-version-heading">
        <div className="mb-2 flex items-baseline justify-between gap-4 text-sm">
          <h2 id="new-version-heading" className="font-semibold">
            {m.a_new_version_is_being_made()}
          </h2>
          <span className="font-semibold text-brand tabular-nums">{progress}%</span>
        </div>
        <Progress value={progress} label={m.new_version()} />
        <p className="mt-2 text-sm wrap-anywhere text-ink-soft">{m.message_until_it_is_done({ message })}</p>
      </section>
    </Card>
  )
}

interface FailedVersionProps {
  id: string
  newVersion: NonNullable<Module['newVersion']>
  captions: ReactNode
}

function FailedVersion({ id, newVersion, captions }: FailedVersionProps) {
  const { run, failureCode } = newVersion
  const again = useReprocessModule()
  const { isDismissed, dismiss } = useDismissedVersion(id, run)
  if (isDismissed) return null
  return (
    <Card className="px-4 py-3">
      <section role="alert" aria-labelledby="new-version-heading">
        <h2 id="new-version-heading" className="text-sm font-semibold text-danger-ink">
          {m.the_new_version_could_not_be()}
        </h2>
        <p className="mt-1 text-sm wrap-anywhere text-ink-soft">{failureReason(newVersion) ?? UNKNOWN_REASON}</p>
        <p className="mt-1 text-sm text-ink-soft">{m.nothing_has_changed_this_training()}</p>
      </section>
      {isRecoverableByCaptions(failureCode) && (
        <div className="mt-3">
          <NextActions>
            <NextAction way="captions" durationS={null}>
              {captions}
            </NextAction>
          </NextActions>
        </div>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {isRecoverableByNewRun(failureCode) && (
          <Button
            variant="secondary"
            size="small"
            isBusy={again.isPending}
            onClick={() => again.mutate({ moduleId: id, from: 'failed' })}
          >
            {!again.isPending && <RotateCcw aria-hidden="true" className="size-4" />}
            {m.try_again()}
          </Button>
        )}
        <Button variant="ghost" size="small" className="first:-ms-3" onClick={dismiss}>
          {m.dismiss()}
        </Button>
      </div>
    </Card>
  )
}
