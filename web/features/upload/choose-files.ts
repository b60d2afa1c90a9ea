import { captionTypeOf } from '#web/lib/caption-type.ts'

/** Systems that do not know a container hand over files without a type, so the extension decides. */
const VIDEO_TYPE_BY_EXTENSION: Record<string, string> = {
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  avi: 'video/x-msvideo',
  mpg: 'video/mpeg',
  mpeg: 'video/mpeg',
}

/** What a picked file is uploaded as: its own `video/*` type, or one read from its name. Null: not a video. */
export function videoTypeOf(file: { name: string; type: string }): string | null {
  if (file.type.startsWith('video/')) return file.type
  const isUnknown = file.type === '' || file.type === 'application/octet-stream'
  return (isUnknown && VIDEO_TYPE_BY_EXTENSION[extensionOf(file.name)]) || null
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase()
}

export interface ChosenFiles {
  /** The first video; only one is uploaded at a time. */
  video: File | null
  captions: File | null
  /** Further videos. */
  skipped: File[]
  /** Neither video nor captions. */
  rejected: File[]
}

/** Sorts what was dropped or picked together. */
export function chooseFiles(files: readonly File[]): ChosenFiles {
  const videos = files.filter((file) => videoTypeOf(file) !== null)
  const captions = files.filter((file) => captionTypeOf(file) !== null)
  return {
    video: videos[0] ?? null,
    captions: captions[0] ?? null,
    skipped: videos.slice(1),
    rejected: files.filter((file) => !videos.includes(file) && !captions.includes(file)),
  }
}
