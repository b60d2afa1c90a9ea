import { Download } from 'lucide-react'
import type { RecordsAnswer } from '#contract/records/record-list.ts'
import * as m from '#messages'
import { formatDate } from '#web/lib/format/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { useExport } from './use-export.ts'

/** How far the list goes, its newest checkpoint, and the way to take all of it along. */
export function RecordsState({ head, checkpoint, fromSeq }: Pick<RecordsAnswer, 'head' | 'checkpoint' | 'fromSeq'>) {
  const download = useExport()
  return (
    <Card className="grid gap-5 p-5 sm:grid-cols-2">
      <div className="min-w-0">
        <p className="font-semibold">{m.records_last({ seq: head.seq })}</p>
        <Hash hash={head.hash} />
        <Button variant="secondary" className="mt-4" isBusy={download.isPending} onClick={() => download.mutate()}>
          {!download.isPending && <Download aria-hidden="true" className="size-4" />}
          {m.records_export()}
        </Button>
        <p className="mt-2 text-sm text-ink-soft">{m.records_export_hint()}</p>
        <p role="status" className="mt-2 text-sm text-ink-soft empty:hidden">
          {(download.data ?? 0) > 1 && m.records_export_parts({ count: download.data ?? 0 })}
        </p>
        {fromSeq > 1 && <p className="mt-2 text-sm text-ink-soft">{m.records_from({ seq: fromSeq })}</p>}
        {download.error !== null && (
          <p role="alert" className="mt-2 text-sm text-danger-ink">
            {download.error.message}
          </p>
        )}
      </div>
      {checkpoint !== null && (
        <div className="min-w-0">
          <p className="font-semibold">
            {m.records_checkpoint({ day: formatDate(`${checkpoint.day}T12:00:00Z`), seq: checkpoint.seq })}
          </p>
          <Hash hash={checkpoint.hash} />
          <CopyButton className="mt-4" text={`${checkpoint.day} ${checkpoint.seq} ${checkpoint.hash}`} />
          <p className="mt-2 text-sm text-ink-soft">{m.records_checkpoint_hint()}</p>
        </div>
      )}
    </Card>
  )
}

function Hash({ hash }: { hash: string }) {
  return (
    <p dir="ltr" className="mt-1 font-mono text-xs break-all text-ink-faint">
      {hash}
    </p>
  )
}
