import type { TranscriptSegment } from '#contract/transcript.ts'

type Cue = Pick<TranscriptSegment, 'start' | 'end' | 'text'>

function writeTime(seconds: number): string {
  const ms = Math.max(0, Math.round(seconds * 1000))
  const parts = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60]
  return `${parts.map((part) => String(part).padStart(2, '0')).join(':')}.${String(ms % 1000).padStart(3, '0')}`
}

/** `&` and `<` begin markup in a cue, a bare `-->` or an empty line would end it. */
function writeText(text: string): string {
  return text
    .trim()
    .replaceAll(/\s*\n\s*/g, '\n')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

/** A WebVTT file of what was said, for the player's captions. Times in seconds. */
export function writeVtt(cues: readonly Cue[]): string {
  const blocks = cues.map((cue) => `${writeTime(cue.start)} --> ${writeTime(cue.end)}\n${writeText(cue.text)}`)
  return `WEBVTT\n\n${blocks.join('\n\n')}\n`
}
