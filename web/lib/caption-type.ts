import type { CaptionType } from '#contract/transcript.ts'

/** Null: not a caption file. The name decides, because systems disagree about these types or do not know them. */
export function captionTypeOf(file: { name: string }): CaptionType | null {
  const name = file.name.toLowerCase()
  if (name.endsWith('.vtt')) return 'text/vtt'
  return name.endsWith('.srt') ? 'application/x-subrip' : null
}
