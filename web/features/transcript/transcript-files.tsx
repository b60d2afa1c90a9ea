import { Clock, Download, EllipsisVertical } from 'lucide-react'
import { useEffect, useState } from 'react'
import { toast } from 'sonner'
import type { TranscriptSegment } from '#contract/transcript.ts'
import { nameSpeaker, writePlainText, writeSrt, writeVtt } from '#media/write-captions.ts'
import * as m from '#messages'
import { saveFile } from '#web/lib/download.ts'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Menu } from '#web/ui/menu.tsx'

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
      toast.success(m.copied_with_times())
    } catch {
      // A page without https, or a browser setting, forbids it; the file can still be had.
      toast.error(m.the_transcript_could_not_be())
    }
  }
  const files = [
    { extension: 'vtt', type: 'text/vtt', label: m.download_vtt(), write: writeVtt },
    { extension: 'srt', type: 'application/x-subrip', label: m.download_srt(), write: writeSrt },
    { extension: 'txt', type: 'text/plain', label: m.download_txt(), write: writePlainText },
  ] as const
  return (
    <Menu
      variant="ghost"
      size="small"
      className="px-2!"
      aria-label={m.more_for_the_transcript()}
      actions={[
        { icon: Clock, label: m.copy_with_times(), onSelect: () => void copyTimed() },
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

type Line = Pick<TranscriptSegment, 'start' | 'text' | 'speaker'>

/** Writes the transcript as text, a line per segment with its start time. */
export function writeTimedText(lines: readonly Line[]): string {
  return lines.map((line) => `${formatTime(line.start)}  ${nameSpeaker(line)}\n`).join('')
}

/** Systems take 255 bytes, and a letter may be three. */
const NAME_MAX_CHARS = 80

/** A name that every system takes for a file. */
export function nameFile(title: string, extension: string): string {
  const plain = title.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '')
  return `${plain.slice(0, NAME_MAX_CHARS).toWellFormed() || 'transcript'}.${extension}`
}

/** Address of a caption file made from the transcript, for as long as it is shown; undefined while there are no words. */
export function useCaptionsUrl(segments: readonly TranscriptSegment[] | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (segments === undefined || segments.length === 0) return
    const made = URL.createObjectURL(new Blob([writeVtt(segments)], { type: 'text/vtt' }))
    // oxlint-disable-next-line react/set-state-in-effect -- an object URL must be released, so it cannot be made while drawing
    setUrl(made)
    return () => {
      setUrl(undefined)
      URL.revokeObjectURL(made)
    }
  }, [segments])
  return url
}
