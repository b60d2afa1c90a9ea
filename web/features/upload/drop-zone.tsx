import clsx from 'clsx'
import { Clapperboard } from 'lucide-react'
import { type DragEvent, useEffect, useState } from 'react'
import { FileButton } from './file-button.tsx'
import { readDrop } from './pick-files.ts'

const ACCEPT = 'video/*,.mkv,.mp4,.m4v,.mov,.webm,.vtt,.srt'

interface DropZoneProps {
  onFiles: (files: File[]) => void
  isDisabled: boolean
}

function preventDefault(event: Event) {
  event.preventDefault()
}

/** A file dropped beside the zone would open in place of this page, and end a running upload. */
function useNoDropElsewhere() {
  useEffect(() => {
    window.addEventListener('dragover', preventDefault)
    window.addEventListener('drop', preventDefault)
    return () => {
      window.removeEventListener('dragover', preventDefault)
      window.removeEventListener('drop', preventDefault)
    }
  }, [])
}

export function DropZone({ onFiles, isDisabled }: DropZoneProps) {
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
      aria-label="Video"
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
        <p className="mb-4 text-sm text-ink-soft">
          One video at a time: the next one can go when this one has arrived.
        </p>
      ) : (
        <Invitation isOver={isOver} />
      )}
      <FileButton accept={ACCEPT} onFiles={onFiles} isProminent isMultiple isKept isDisabled={isDisabled}>
        Select video
      </FileButton>
    </section>
  )
}

function Invitation({ isOver }: { isOver: boolean }) {
  return (
    <>
      <span className="mb-5 grid size-14 place-items-center rounded-2xl bg-brand-soft text-brand-ink">
        <Clapperboard aria-hidden="true" className="size-7" strokeWidth={1.75} />
      </span>
      <p className="text-lg font-semibold">{isOver ? 'Drop it here' : 'Drag and drop a video'}</p>
      <p className="mt-1 mb-6 text-sm text-ink-soft">MP4 recommended, max a few hundred MB</p>
    </>
  )
}
