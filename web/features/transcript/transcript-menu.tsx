import { Clock, Download, EllipsisVertical } from 'lucide-react'
import { toast } from 'sonner'
import type { TranscriptSegment } from '#contract/transcript.ts'
import { writeSrt, writeVtt } from '#media/write-captions.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Menu } from '#web/ui/menu.tsx'
import { nameFile, writePlainText, writeTimedText } from './write-text.ts'

interface TranscriptMenuProps {
  /** Of the module; names the files. */
  title: string
  segments: readonly TranscriptSegment[]
}

/** What else can be done with a transcript: taken along as a file, and copied with its times. */
export function TranscriptMenu({ title, segments }: TranscriptMenuProps) {
  async function copyTimed() {
    try {
      await navigator.clipboard.writeText(writeTimedText(segments))
      toast.success('Copied with times')
    } catch {
      // A page without https, or a browser setting, forbids it; the file can still be had.
      toast.error('The transcript could not be copied')
    }
  }
  const files = [
    { extension: 'vtt', type: 'text/vtt', label: 'Download VTT', write: writeVtt },
    { extension: 'srt', type: 'application/x-subrip', label: 'Download SRT', write: writeSrt },
    { extension: 'txt', type: 'text/plain', label: 'Download TXT', write: writePlainText },
  ] as const
  return (
    <Menu
      variant="ghost"
      size="small"
      className="px-2!"
      aria-label="More for the transcript"
      actions={[
        { icon: Clock, label: 'Copy with times', onSelect: () => void copyTimed() },
        ...files.map(({ extension, type, label, write }) => ({
          icon: Download,
          label,
          onSelect: () => saveFile(new Blob([write(segments)], { type }), nameFile(title, extension)),
        })),
      ]}
    >
      <EllipsisVertical aria-hidden="true" className="size-4" />
    </Menu>
  )
}
