import { type FileHandle, noteHandle } from './kept-files.ts'

const VIDEO_EXTENSIONS = ['.mp4', '.m4v', '.mov', '.webm', '.mkv'] as const

type ShowPicker = (options: object) => Promise<FileHandle[]>
type HandleItem = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileHandle | null> }

function findPicker(): ShowPicker | undefined {
  return (window as { showOpenFilePicker?: ShowPicker }).showOpenFilePicker?.bind(window)
}

export function hasPicker(): boolean {
  return findPicker() !== undefined
}

/** The dialog that lets the page keep what was chosen. Empty when it is closed without a choice. */
export async function pickFiles({ isMultiple }: { isMultiple: boolean }): Promise<File[]> {
  const types = [
    {
      description: 'Video and captions',
      accept: { 'video/*': VIDEO_EXTENSIONS, 'text/vtt': ['.vtt'], 'application/x-subrip': ['.srt'] },
    },
  ]
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
