import { Eye, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import type { Approval, ApprovalMeaning } from '#contract/review.ts'
import type { Version } from '#contract/version.ts'
import * as m from '#messages'
import { formatDate } from '#web/lib/format/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/card.tsx'
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx'
import { sayRetraining } from './publish-fields.tsx'
import type { OfModule } from './version-comparison.tsx'
import { VersionReader } from './version-reader.tsx'
import { useRestoreVersion } from './versions-query.ts'

interface VersionListProps extends OfModule {
  versions: readonly Version[]
  /** The version that learners see; null while they see the draft. */
  published: number | null
  /** Version of the steps of the draft, as the page knows it. */
  stepsVersion: number
  mayRestore: boolean
}

/** All published versions, the newest first: each can be read, and by owners made the draft again. */
export function VersionList({ versions, published, stepsVersion, mayRestore, ...module }: VersionListProps) {
  const [readNumber, setReadNumber] = useState<number | null>(null)
  const [restoredNumber, setRestoredNumber] = useState<number | null>(null)
  const restore = useRestoreVersion(module.moduleId)
  function makeDraft(number: number) {
    restore.mutate(
      { number, stepsVersion },
      {
        onSuccess: () => toast.success(m.version_is_the_draft({ number })),
        onError: (error) => toast.error(m.failed_to_make_it_the_draft(), { description: error.message }),
      },
    )
  }
  return (
    <>
      <ol className="divide-y divide-line">
        {versions.map((version) => (
          <VersionRow
            key={version.number}
            version={version}
            isShown={version.number === published}
            isBusy={restore.isPending && restore.variables.number === version.number}
            onRead={() => setReadNumber(version.number)}
            onRestore={mayRestore ? () => setRestoredNumber(version.number) : undefined}
          />
        ))}
      </ol>
      <Dialog
        isOpen={readNumber !== null}
        onOpenChange={(isOpen) => !isOpen && setReadNumber(null)}
        title={m.page_version({ version: readNumber ?? 0 })}
        width="wide"
      >
        {readNumber !== null && <VersionReader {...module} number={readNumber} />}
      </Dialog>
      <ConfirmDialog
        isOpen={restoredNumber !== null}
        onOpenChange={(isOpen) => !isOpen && setRestoredNumber(null)}
        title={m.make_version_the_draft({ number: restoredNumber ?? 0 })}
        description={m.draft_is_replaced()}
        facts={[m.draft_keeps_its_transcript(), m.learners_see_it_once_published()]}
        confirmIcon={RotateCcw}
        confirmLabel={m.make_draft_action()}
        onConfirm={() => restoredNumber !== null && makeDraft(restoredNumber)}
      />
    </>
  )
}

interface VersionRowProps {
  version: Version
  /** Whether it is what learners see. */
  isShown: boolean
  isBusy: boolean
  onRead: () => void
  onRestore: (() => void) | undefined
}

function VersionRow({ version, isShown, isBusy, onRead, onRestore }: VersionRowProps) {
  const { number } = version
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 py-3.5">
      <VersionFacts version={version} isShown={isShown} />
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        <Button variant="secondary" size="small" aria-label={m.read_version({ number })} onClick={onRead}>
          <Eye aria-hidden="true" className="size-3.5" />
          {m.read_action()}
        </Button>
        {onRestore && (
          // Below the other, it begins where that does.
          <Button variant="ghost" size="small" className="-mx-3" isBusy={isBusy} onClick={onRestore}>
            {!isBusy && <RotateCcw aria-hidden="true" className="size-3.5" />}
            {m.make_version_the_draft({ number })}
          </Button>
        )}
      </div>
    </li>
  )
}

function VersionFacts({ version, isShown }: { version: Version; isShown: boolean }) {
  const date = formatDate(version.publishedAt)
  const facts = [
    version.isMine ? m.published_by_you({ date }) : m.published_by_colleague({ date }),
    ...(version.retraining === 'none' ? [] : [sayRetraining(version.retraining)]),
  ]
  return (
    <div className="min-w-0 flex-1 basis-52">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {m.page_version({ version: version.number })}
        {isShown && <Badge tone="brand">{m.shown_to_learners()}</Badge>}
      </p>
      <p className="mt-0.5 text-sm text-ink-soft">{facts.join(' · ')}</p>
      {version.approval !== null && <ApprovalFacts approval={version.approval} />}
      {version.checks.map(({ name, checkedAt }) => (
        <p key={checkedAt} className="mt-0.5 text-sm wrap-anywhere text-ink-soft">
          {m.version_was_checked({ date: formatDate(checkedAt), name: name === '' ? m.record_erased_person() : name })}
        </p>
      ))}
      {version.note !== '' && (
        <p dir="auto" className="mt-1 text-sm wrap-anywhere whitespace-pre-line">
          {version.note}
        </p>
      )}
    </div>
  )
}

const APPROVALS: Record<ApprovalMeaning, (values: { name: string }) => string> = {
  reviewed: m.released_by_reviewed,
  approved: m.released_by_approved,
  responsible: m.released_by_responsible,
}

function ApprovalFacts({ approval }: { approval: Approval }) {
  return (
    <div className="mt-0.5 text-sm wrap-anywhere text-ink-soft">
      <p>{sayApproval(approval)}</p>
      <p dir="auto" className="border-s-2 border-line ps-2.5 whitespace-pre-line empty:hidden">
        {approval.words}
      </p>
    </div>
  )
}

function sayApproval({ name, meaning }: Approval): string {
  // One of them begins with the name.
  const erased = meaning === 'responsible' ? m.record_erased_person() : m.an_erased_person()
  return APPROVALS[meaning]({ name: name === '' ? erased : name })
}
