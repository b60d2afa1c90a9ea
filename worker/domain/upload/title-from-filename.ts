import { MODULE_TITLE_MAX_CHARS } from '#contract/limits.ts'

/** A file's name made readable: `01_change-the-filter.final.mp4` → `01 change the filter final`, first letter upper. */
export function titleFromFilename(filename: string): string {
  const base = filename.split(/[\\/]/).at(-1) ?? filename
  const words = base
    .replace(/\.[A-Za-z0-9]{2,5}$/, '')
    .replace(/[._\-+\s]+/g, ' ')
    .trim()
  const title = words === '' ? 'Untitled video' : words.charAt(0).toUpperCase() + words.slice(1)
  return title.slice(0, MODULE_TITLE_MAX_CHARS)
}
