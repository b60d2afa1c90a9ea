import type { CaptionFile, RawCue } from './raw-cue.ts'
import { readTime } from './read-times.ts'

const EVENTS = /^\[Events\]$/im
const FIELDS = /^Format:(.*)$/i
const DIALOGUE = /^Dialogue:(.*)$/i
/** Where a file does not say it: of SubStation Alpha 4 and later. */
const USUAL_FIELDS = ['layer', 'start', 'end', 'style', 'name', 'marginl', 'marginr', 'marginv', 'effect', 'text']
/** Tags, and the text that they apply to. */
const TAGGED = /\{([^{}]*)\}[^{]*/g
/** In `{\p1}m 0 0 l 100 0{\p0}`: what follows is a shape. */
const DRAWS = /\\p[1-9]/
const OVERRIDE = /\{[^{}]*\}/g

/** Whether a file is SubStation Alpha (.ass or .ssa). */
export function isAss({ text }: CaptionFile): boolean {
  return EVENTS.test(text) || /^(?:\[Script Info\]|Dialogue:.{0,40}\d:\d\d:\d\d\.\d\d,)/im.test(text)
}

/** Removes shapes, which people leave in SRT as well. */
export function removeDrawings(text: string): string {
  return text.replaceAll(TAGGED, (whole, tags: string) => (DRAWS.test(tags) ? '' : whole))
}

/** What is left in SRT of SubStation Alpha: a backslash is a line break or a blank there, and elsewhere part of a path. */
const HAS_OVERRIDE = /\{\\[a-z]/i
const BREAK_OR_BLANK = /\\[Nh]/g

/** Makes blanks of the line breaks and blanks of SubStation Alpha in a file that has its styles. */
export function removeAssBreaks(text: string): string {
  return HAS_OVERRIDE.test(text) ? text.replaceAll(BREAK_OR_BLANK, ' ') : text
}

/** The last field is the text, which may have commas. */
function splitFields(line: string, count: number): string[] {
  const parts = line.split(',')
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(',')]
}

/** Reads the lines of dialogue; styles and places are lost. */
export function readAss({ lines }: CaptionFile): RawCue[] {
  const cues: RawCue[] = []
  let fields = USUAL_FIELDS
  for (const [lineIndex, line] of lines.entries()) {
    const names = FIELDS.exec(line)?.[1]
      ?.toLowerCase()
      .split(',')
      .map((name) => name.trim())
    // Styles have a list of their own.
    if (names?.at(-1) === 'text') fields = names
    const said = DIALOGUE.exec(line)?.[1]
    if (said === undefined) continue
    const values = splitFields(said, fields.length)
    // SubStation Alpha 4 may call it the actor.
    const speaker = (values[fields.findIndex((name) => name === 'name' || name === 'actor')] ?? '').trim()
    const valueOf = (name: string) => values[fields.indexOf(name)]?.trim() ?? ''
    cues.push({
      lineIndex,
      startMs: readTime(valueOf('start'), 1),
      endMs: readTime(valueOf('end'), 1),
      // Some tools repeat the style there, or have a name for nobody.
      ...(speaker !== '' && speaker !== 'NTP' && speaker !== valueOf('style') && { speaker }),
      lines: removeDrawings(valueOf('text')).replaceAll(OVERRIDE, '').split(/\\n/i),
    })
  }
  return cues
}
