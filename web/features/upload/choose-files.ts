import { captionTypeOf } from '#web/lib/files.ts'

/** Systems that do not know a container hand over files without a type. Some are named here only to be refused by name. */
const VIDEO_TYPE_BY_EXTENSION: Record<string, string> = {
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  avi: 'video/x-msvideo',
  mpg: 'video/mpeg',
  mpeg: 'video/mpeg',
  vob: 'video/mpeg',
  ts: 'video/mp2t',
  mts: 'video/mp2t',
  m2ts: 'video/mp2t',
  wmv: 'video/x-ms-wmv',
  flv: 'video/x-flv',
}

/** The last is what some systems take a transport stream for, by its name. */
const UNKNOWN_TYPES: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'text/vnd.trolltech.linguist'])

/**
 * Finds the type that a picked file is uploaded with: its own `video/*` type, or one from its name. Null: not a video.
 */
export function videoTypeOf(file: { name: string; type: string }): string | null {
  if (file.type.startsWith('video/')) return file.type
  const isUnknown = UNKNOWN_TYPES.has(file.type)
  const extension = file.name.slice(file.name.lastIndexOf('.') + 1).toLowerCase()
  return (isUnknown && VIDEO_TYPE_BY_EXTENSION[extension]) || null
}

/** Whether neither the name nor the system says what a file is: its content does. */
export function isUnnamed(file: { name: string; type: string }): boolean {
  return file.type === '' || file.type === 'application/octet-stream'
}

/** Only one video is uploaded at a time: the first. */
export function chooseFiles(files: readonly File[]) {
  const videos = files.filter((file) => videoTypeOf(file) !== null)
  const captions = files.filter((file) => captionTypeOf(file) !== null)
  return {
    video: videos[0] ?? null,
    captions: captions[0] ?? null,
    skipped: videos.slice(1),
    rejected: files.filter((file) => !videos.includes(file) && !captions.includes(file)),
  }
}
