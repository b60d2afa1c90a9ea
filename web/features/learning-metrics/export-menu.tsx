import { Braces, Download, Table } from 'lucide-react'
import { toast } from 'sonner'
import type { LearningExportRequest } from '#contract/learning.ts'
import { useDownload } from '#web/lib/use-download.ts'
import { Menu } from '#web/ui/menu.tsx'
import { metricsPath } from './metrics-query.ts'

const FILE_NAMES = { csv: 'learners.csv', xapi: 'statements.json' } as const

/** Everything in a file: a row per learner, or statements for a learning record store. */
export function ExportMenu({ moduleId }: { moduleId: string }) {
  const { mutate, isPending } = useDownload()
  function download(format: LearningExportRequest['format']) {
    mutate(
      { path: `${metricsPath(moduleId)}/export?format=${format}`, filename: FILE_NAMES[format] },
      { onError: (error) => toast.error('Failed to download', { description: error.message }) },
    )
  }
  const actions = [
    { icon: Table, label: 'Learners as a table (CSV)', onSelect: () => download('csv') },
    { icon: Braces, label: 'xAPI statements (JSON)', onSelect: () => download('xapi') },
  ]
  return (
    <Menu variant="secondary" size="small" isBusy={isPending} actions={actions}>
      {!isPending && <Download aria-hidden="true" className="size-4" />}
      Download
    </Menu>
  )
}
