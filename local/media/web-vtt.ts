import type { Cue } from './narrate.ts'

/** Writes cues as a WebVTT file. */
export function formatWebVtt(cues: Cue[]): string {
  const blocks = cues.map(({ startMs, endMs, text }) => `${formatTime(startMs)} --> ${formatTime(endMs)}\n${text}\n`)
  return ['WEBVTT\n', ...blocks].join('\n')
}

function formatTime(ms: number): string {
  const [hours, minutes, seconds] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map((value) =>
    String(Math.floor(value)).padStart(2, '0'),
  )
  return `${hours}:${minutes}:${seconds}.${String(ms % 1000).padStart(3, '0')}`
}
