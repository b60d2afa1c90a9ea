import { Download, FileText, ListVideo, Printer } from 'lucide-react'
import { toast } from 'sonner'
import { printPath, type SharedFile, sharedFilePath } from '#contract/share-page.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { nameFile } from '#web/features/transcript/transcript-files.tsx'
import { useDownload } from '#web/lib/download.ts'
import { Menu } from '#web/ui/menu.tsx'

/** A training on paper and as files. What anyone with the link gets is there while the link is on. */
export function TakeAlongMenu({ module }: { module: LoadedModule }) {
  const { id, title, shared, status, role } = module
  const download = useDownload()
  if (status !== 'READY') return null
  function print() {
    if (shared) window.open(printPath(id), '_blank', 'noopener')
    else toast.info('Turn sharing on to print', { description: 'The codes on paper open the share link.' })
  }
  function downloadAll() {
    download.mutate(
      { path: `/api/modules/${encodeURIComponent(id)}/files.zip`, filename: nameFile(title, 'zip') },
      { onError: () => toast.error('The files could not be downloaded', { description: 'Please try again.' }) },
    )
  }
  const file = (icon: typeof FileText, label: string, name: SharedFile) => ({
    icon,
    label,
    onSelect: () => downloadShared(sharedFilePath(id, name), nameFile(title, name.replace(/^steps\./, ''))),
  })
  return (
    <Menu
      variant="ghost"
      size="icon"
      aria-label="Print and download"
      actions={[
        { icon: Printer, label: 'Print', onSelect: print },
        ...(shared
          ? [file(FileText, 'Download steps', 'steps.md'), file(ListVideo, 'Download chapters', 'chapters.vtt')]
          : []),
        ...(role === 'owner' ? [{ icon: Download, label: 'Download all files', onSelect: downloadAll }] : []),
      ]}
    >
      <Printer aria-hidden="true" className="size-5" />
    </Menu>
  )
}

function downloadShared(path: string, filename: string): void {
  const link = document.createElement('a')
  link.href = path
  link.download = filename
  link.click()
}
