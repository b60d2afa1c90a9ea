import { type CaptionFile, openLineCounter, type RawCue } from './raw-cue.ts'

/** SAMI, and what YouTube answers as `srv1` to `srv3`. */
const SAMI = /^\s*<sami[\s>]/i
const YOUTUBE = /^\s*(?:<\?xml[^>]*>\s*)?<(?:timedtext|transcript)[\s>]/i
const SYNC = /<sync\s([^<>]*)>/gi
const SYNC_START = /start\s?=\s?["']?(-?\d{1,12})/i
const LINE = /<(?:text|p)\s([^<>]{1,300})>([^]*?)(?=<\/(?:text|p)>|<(?:text|p)\s|$)/gi
/** One that is never closed goes to the end, so that a text is read once. */
const COMMENT = /<!--[^]*?(?:-->|$)|<\/?(?:body|sami)[^<>]*>/gi
const NUMBER = {
  start: /(?:^|\s)start="([\d.]+)"/,
  dur: /(?:^|\s)dur="([\d.]+)"/,
  t: /(?:^|\s)t="(\d+)"/,
  d: /(?:^|\s)d="(\d+)"/,
}

/** Whether a file is SAMI, or timed text of YouTube. */
export function isSyncXml({ text }: CaptionFile): boolean {
  return SAMI.test(text) || YOUTUBE.test(text)
}

/** Reads such a file; styles and languages of SAMI are lost. */
export function readSyncXml(file: CaptionFile): RawCue[] {
  return SAMI.test(file.text) ? readSami(file) : readYouTube(file)
}

/** What is shown from one moment to the next; an empty one ends the one before. */
function readSami({ text }: CaptionFile): RawCue[] {
  const findLine = openLineCounter(text)
  const found = [...text.matchAll(SYNC)].flatMap(({ 0: tag, 1: attributes = '', index: at }) => {
    const start = SYNC_START.exec(attributes)?.[1]
    return start === undefined ? [] : [{ at, length: tag.length, startMs: Number(start) }]
  })
  return found.flatMap(({ at, length, startMs }, index) => {
    const next = found[index + 1]
    const body = text.slice(at + length, next?.at).replaceAll(COMMENT, '')
    const lines = splitBreaks(body)
    if (lines.join('').replaceAll(/<[^<>]*>|&nbsp;?|\s/gi, '') === '') return []
    return [{ lineIndex: findLine(at), startMs, endMs: next?.startMs ?? null, lines }]
  })
}

function readYouTube({ text }: CaptionFile): RawCue[] {
  const findLine = openLineCounter(text)
  return [...text.matchAll(LINE)].map(({ 1: attributes = '', 2: body = '', index }) => {
    const numberOf = (name: keyof typeof NUMBER) => NUMBER[name].exec(attributes)?.[1]
    const msOf = (ms: string | undefined, seconds: string | undefined) =>
      ms === undefined ? (seconds === undefined ? null : Math.round(Number(seconds) * 1_000)) : Number(ms)
    const startMs = msOf(numberOf('t'), numberOf('start'))
    const lengthMs = msOf(numberOf('d'), numberOf('dur'))
    const endMs = startMs === null || lengthMs === null ? null : startMs + lengthMs
    // Words have elements of their own.
    return {
      lineIndex: findLine(index),
      startMs,
      endMs,
      lines: splitBreaks(body.replaceAll(/<\/?s(?:\s[^<>]*)?>/g, '')),
    }
  })
}

function splitBreaks(body: string): string[] {
  return body.split(/<br\s?\/?>/i).map((line) => line.replaceAll(/\s+/g, ' '))
}
