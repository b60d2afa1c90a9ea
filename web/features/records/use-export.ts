import { useMutation } from '@tanstack/react-query'
import type { ExportRequest } from '#contract/records/export-request.ts'
import { partFile, readZippedPart } from '#records/export-parts.ts'
import { saveFile, useFileCall } from '#web/lib/download.ts'

/** Saves an export of the records: each part says how the next one is asked for. @returns how many files were saved */
export function useExport() {
  const callForFile = useFileCall()
  return useMutation({
    mutationFn: async () => {
      let saved = 0
      for (let next: ExportRequest | 'first' | null = 'first'; next !== null; saved += 1) {
        const zip = await callForFile(`/api/records/export${next === 'first' ? '' : `?${queryOf(next)}`}`)
        const part = await readZippedPart(zip)
        saveFile(zip, partFile(part))
        next = part.next
      }
      return saved
    },
  })
}

function queryOf(request: ExportRequest): URLSearchParams {
  return new URLSearchParams(Object.entries(request).map(([name, value]) => [name, String(value)]))
}
