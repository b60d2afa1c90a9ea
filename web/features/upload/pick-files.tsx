import clsx from 'clsx'
import { Captions, Clapperboard, X } from 'lucide-react'
import { type DragEvent, type MouseEvent, type ReactNode, useEffect, useState } from 'react'
import { CAPTION_ENDINGS } from '#contract/transcript.ts'
import * as m from '#messages'
import { listen } from '#web/lib/browser-state.ts'
import { ACCEPT_CAPTIONS, captionTypeOf } from '#web/lib/files.ts'
import { formatLimit } from '#web/lib/format/format-bytes.ts'
import { sayAbout } from '#web/lib/format/say-about.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { type FileHandle, noteHandle } from './kept-files.ts'

const VIDEO_ENDINGS = ['.mp4', '.m4v', '.mov', '.webm', '.mkv', '.ts', '.mts', '.m2ts']
/** What an input for a video takes. */
export const ACCEPT_VIDEOS = ['video/*', ...VIDEO_ENDINGS].join(',')

/** A file dropped beside the zone would open in place of this page, and end a running upload. */
function useNoDropElsewhere() {
  useEffect(() => {
    const prevent = (event: Event) => event.preventDefault()
    return listen(window, { dragover: prevent, drop: prevent })
  }, [])
}

interface DropZoneProps {
  onFiles: (files: File[]) => void
  isDisabled: boolean
  /** Null while it is not known. */
  maxBytes: number | null
  /** How fast the last or running upload of this visit is; null before one. */
  bytesPerSecond: number | null
}

/** As long as a usual video; its time says more than a rate. */
const SAMPLE_BYTES = 500 * 1024 ** 2

function describeLimit(maxBytes: number, bytesPerSecond: number | null): string {
  const size = formatLimit(maxBytes)
  if (bytesPerSecond === null) return m.up_to_size({ size })
  const sampleBytes = Math.min(SAMPLE_BYTES, maxBytes)
  const time = sayAbout(sampleBytes / bytesPerSecond)
  return m.up_to_size_at_speed({ size, sample: formatLimit(sampleBytes), time })
}

export function DropZone({ onFiles, isDisabled, maxBytes, bytesPerSecond }: DropZoneProps) {
  const [isOver, setIsOver] = useState(false)
  useNoDropElsewhere()
  function onDrop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    onFiles(readDrop(event.dataTransfer))
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping is a shortcut for a mouse; the button inside does the same
    <section
      aria-label={m.video_label()}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false)
      }}
      onDrop={onDrop}
      className={clsx(
        'flex flex-col items-center rounded-panel border-2 border-dashed px-6 text-center transition-colors duration-150',
        isDisabled ? 'py-6' : 'py-12 sm:py-16',
        isOver ? 'border-brand bg-brand-soft' : 'border-line-strong/60 bg-surface',
      )}
    >
      {isDisabled ? (
        <p className="mb-4 text-sm text-ink-soft">{m.one_video_at_a_time()}</p>
      ) : (
        <>
          <span className="mb-5 grid size-14 place-items-center rounded-2xl bg-brand-soft text-brand-ink">
            <Clapperboard aria-hidden="true" className="size-7" strokeWidth={1.75} />
          </span>
          <p className="text-lg font-semibold">{isOver ? m.drop_it_here() : m.drag_and_drop_a_video()}</p>
          <p className="mt-1 text-sm text-ink-soft">{m.mp4_recommended()}</p>
          {/* Of one line from the beginning, so that nothing moves when it is known. */}
          <p className="mb-6 min-h-5 text-sm text-ink-soft">
            {maxBytes !== null && describeLimit(maxBytes, bytesPerSecond)}
          </p>
        </>
      )}
      <FileButton
        accept={`${ACCEPT_VIDEOS},${ACCEPT_CAPTIONS}`}
        onFiles={onFiles}
        isProminent
        isMultiple
        isKept
        isDisabled={isDisabled}
      >
        {m.select_video()}
      </FileButton>
    </section>
  )
}

const EMPTY_TEXT = m.caption_file_or_narration()
const ATTACHED_TEXT = { waiting: m.captions_go_with_next_video(), sending: m.captions_go_with_this_video() }

interface CaptionsFieldProps {
  captions: File | null
  /** What is in them, once they are read and need no look any more. */
  contents: string | null
  /** What is to be looked at before they are used. */
  children?: ReactNode
  onChange: (captions: File | null) => void
  onReject: (file: File) => void
  isDisabled: boolean
}

/** Captions that go along with the video instead of recognising its speech. */
export function CaptionsField({ captions, contents, onChange, onReject, isDisabled, children }: CaptionsFieldProps) {
  function choose(files: File[]) {
    const file = files[0]
    if (!file) return
    if (captionTypeOf(file)) onChange(file)
    else onReject(file)
  }
  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4 sm:px-5">
      <Captions aria-hidden="true" className="size-6 shrink-0 text-ink-faint" strokeWidth={1.75} />
      <div className="min-w-48 flex-1">
        <p className="text-sm font-medium wrap-anywhere">
          {captions ? <bdi>{captions.name}</bdi> : m.captions_optional()}
        </p>
        <p className="text-sm text-ink-soft">{contents}</p>
        <p className="text-sm text-ink-soft">
          {captions ? ATTACHED_TEXT[isDisabled ? 'sending' : 'waiting'] : EMPTY_TEXT}
        </p>
      </div>
      {captions ? (
        <Button variant="secondary" disabled={isDisabled} onClick={() => onChange(null)}>
          <X aria-hidden="true" className="size-4" />
          {m.remove_captions()}
        </Button>
      ) : (
        <FileButton accept={ACCEPT_CAPTIONS} onFiles={choose} isDisabled={isDisabled}>
          {m.add_captions()}
        </FileButton>
      )}
      {children}
    </Card>
  )
}

interface ShareChoiceProps {
  isShared: boolean
  isDisabled: boolean
  onChange: (isShared: boolean) => void
}

/** Who can view the next video, chosen before its first byte goes. */
export function ShareChoice({ isShared, isDisabled, onChange }: ShareChoiceProps) {
  return (
    <Card className="p-4 sm:px-5">
      <Switch
        label={m.anyone_with_link_can_view()}
        description={isShared ? m.link_works_from_first_byte() : m.only_you_until_shared()}
        isOn={isShared}
        isDisabled={isDisabled}
        onChange={onChange}
      />
    </Card>
  )
}

interface FileButtonProps {
  children: ReactNode
  accept: string
  onFiles: (files: File[]) => void
  isProminent?: boolean
  isMultiple?: boolean
  /** Lets the browser keep a way back to the file, where it can. */
  isKept?: boolean
  isDisabled?: boolean
}

/** The browser's own file input, drawn as a button: keyboard and screen readers meet the real control. */
export function FileButton({ children, accept, onFiles, ...options }: FileButtonProps) {
  const { isProminent = false, isMultiple = false, isKept = false, isDisabled = false } = options
  async function onClick(event: MouseEvent<HTMLInputElement>) {
    if (!isKept || findPicker() === undefined) return
    event.preventDefault()
    onFiles(await pickFiles({ isMultiple }))
  }
  return (
    <label
      className={buttonClass({
        variant: isProminent ? 'primary' : 'secondary',
        size: isProminent ? 'large' : 'medium',
        className: clsx(
          'focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-brand',
          isDisabled ? 'pointer-events-none opacity-55' : 'cursor-pointer',
        ),
      })}
    >
      {children}
      <input
        type="file"
        className="sr-only"
        accept={accept}
        multiple={isMultiple}
        disabled={isDisabled}
        onClick={onClick}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // Otherwise picking the same file again would not be a change.
          event.target.value = ''
        }}
      />
    </label>
  )
}

type ShowPicker = (options: object) => Promise<FileHandle[]>
type HandleItem = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileHandle | null> }

function findPicker(): ShowPicker | undefined {
  return (window as { showOpenFilePicker?: ShowPicker }).showOpenFilePicker?.bind(window)
}

/** The dialog that lets the page keep what was chosen. Empty when it is closed without a choice. */
export async function pickFiles({ isMultiple }: { isMultiple: boolean }): Promise<File[]> {
  const accept = { 'video/*': VIDEO_ENDINGS, ...CAPTION_ENDINGS }
  const types = [{ description: m.video_and_captions(), accept }]
  try {
    const picked = (await findPicker()?.({ types, multiple: isMultiple })) ?? []
    return await Promise.all(picked.map(openPicked))
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return []
    throw error
  }
}

async function openPicked(handle: FileHandle): Promise<File> {
  const file = await handle.getFile()
  noteHandle(file, handle)
  return file
}

/** Must be called while the drop is handled: the browser takes its contents away right after. */
export function readDrop(transfer: DataTransfer): File[] {
  const files = [...transfer.files]
  const items = [...(transfer.items ?? [])].filter(({ kind }) => kind === 'file')
  for (const [index, item] of items.entries()) {
    const file = files[index]
    if (file) void noteDropped(file, item)
  }
  return files
}

async function noteDropped(file: File, item: HandleItem): Promise<void> {
  try {
    const handle = await item.getAsFileSystemHandle?.()
    if (handle?.kind === 'file') noteHandle(file, handle)
  } catch (error) {
    console.warn('The browser keeps no way back to a dropped file', error)
  }
}
