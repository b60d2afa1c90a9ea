import { useMutation } from '@tanstack/react-query'
import { Braces, Download, Table } from 'lucide-react'
import { toast } from 'sonner'
import { z } from 'zod'
import type { LearningExportRequest } from '#contract/learning.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { saveFile } from '#web/lib/save-file.ts'
import { Menu } from '#web/ui/menu.tsx'
import { metricsPath } from './metrics-query.ts'

/** A hundred thousand learners on a slow line. */
const DOWNLOAD_TIMEOUT_MS = 600_000
const FILE_NAMES = { csv: 'learners.csv', xapi: 'statements.json' } as const

/** Everything in a file: a row per learner, or statements for a learning record store. */
export function ExportMenu({ moduleId }: { moduleId: string }) {
  const { mutate, isPending } = useDownload(moduleId)
  const actions = [
    { icon: Table, label: 'Learners as a table (CSV)', onSelect: () => mutate('csv') },
    { icon: Braces, label: 'xAPI statements (JSON)', onSelect: () => mutate('xapi') },
  ]
  return (
    <Menu variant="secondary" size="small" isBusy={isPending} actions={actions}>
      {!isPending && <Download aria-hidden="true" className="size-4" />}
      Download
    </Menu>
  )
}

function useDownload(moduleId: string) {
  const callApi = useApi()
  return useMutation({
    mutationFn: async (format: LearningExportRequest['format']) => {
      const path = `${metricsPath(moduleId)}/export?format=${format}`
      const options = { answer: 'file', timeoutMs: DOWNLOAD_TIMEOUT_MS } as const
      saveFile(await callApi({ path, schema: z.instanceof(Blob), ...options }), FILE_NAMES[format])
    },
    onError: (error) => toast.error('Failed to download', { description: error.message }),
  })
}
