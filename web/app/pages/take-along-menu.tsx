import { Download, FileText, ListVideo, Printer } from 'lucide-react'
import { toast } from 'sonner'
import { linkIdIn, printPath, type SharedFile, sharedFilePath } from '#contract/share-page.ts'
import * as m from '#messages'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { nameFile } from '#web/features/transcript/transcript-files.tsx'
import { useDownload } from '#web/lib/download.ts'
import { Menu } from '#web/ui/menu.tsx'

/** A training on paper and as files. What anyone with the link gets is there while the link is on. */
export function TakeAlongMenu({ module }: { module: LoadedModule }) {
  const { id, title, shared, shareUrl, status, role } = module
  const linkId = linkIdIn(shareUrl)
  const download = useDownload()
  // Who was invited to edit it cannot switch its link on.
  if (status !== 'READY' || (role === 'editor' && !shared)) return null
  function print() {
    if (shared) window.open(printPath(linkId), '_blank', 'noopener')
    else toast.info(m.turn_sharing_on_to_print(), { description: m.the_codes_on_paper_open() })
  }
  function downloadAll() {
    download.mutate(
      { path: `/api/modules/${encodeURIComponent(id)}/files.zip`, filename: nameFile(title, 'zip') },
      { onError: () => toast.error(m.the_files_could_not_be(), { description: m.please_try_again() }) },
    )
  }
  const file = (icon: typeof FileText, label: string, name: SharedFile) => ({
    icon,
    label,
    onSelect: () => downloadShared(sharedFilePath(linkId, name), nameFile(title, name.replace(/^steps\./, ''))),
  })
  return (
    <Menu
      variant="ghost"
      size="icon"
      aria-label={m.print_and_download()}
      actions={[
        { icon: Printer, label: m.print_action(), onSelect: print },
        ...(shared
          ? [
              file(FileText, m.download_steps_label(), 'steps.md'),
              file(ListVideo, m.download_chapters_label(), 'chapters.vtt'),
            ]
          : []),
        ...(role === 'owner' ? [{ icon: Download, label: m.download_all_files(), onSelect: downloadAll }] : []),
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
