import { type CaptionFile, openLineCounter, type RawCue } from './raw-cue.ts'

const ROOT = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*>\s*)?<(?:\w+:)?tt[\s>]/i
const TAG = /<([^<>]*)>/g
/** A tag's name without a prefix; comments and declarations have none. */
const NAME = /^(\/?)(?:[\w-]{1,20}:)?([A-Za-z][\w-]{0,30})/
const ATTRIBUTE = /(?<![\w-])([\w-]{1,40})\s?=\s?(?:"([^"]*)"|'([^']*)')/g
const CLOCK = /^(\d{1,4}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,9})|:(\d{1,3})(?:\.\d{1,3})?)?$/
const OFFSET = /^(\d{1,12}(?:\.\d{1,9})?)(h|m|s|ms|f|t)$/
const MS_OF_UNIT = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const
/** Of the standard, where a file does not say it. */
const USUAL_FRAME_RATE = 30

/** Elements inside of each other; a deeper one counts as what it is in. */
const DEPTH_MAX = 64

interface Rates {
  frames: number
  ticks: number
}

function readAttributes(text: string): Map<string, string> {
  return new Map(
    Array.from(text.matchAll(ATTRIBUTE), ([, name = '', one, other]) => [name.toLowerCase(), one ?? other ?? '']),
  )
}

function readRates(root: Map<string, string>): Rates {
  const [numerator = 1, denominator = 1] = (root.get('frameratemultiplier') ?? '1 1').split(/[\s:]+/).map(Number)
  const declared = Number(root.get('framerate') ?? USUAL_FRAME_RATE) * (numerator / denominator)
  const frames = Number.isFinite(declared) && declared > 0 ? declared : USUAL_FRAME_RATE
  const ticks = Number(root.get('tickrate') ?? (root.has('framerate') ? frames : 1))
  return { frames, ticks: Number.isFinite(ticks) && ticks > 0 ? ticks : 1 }
}

function readClock(value: string | undefined, rates: Rates): number | null {
  const clock = CLOCK.exec(value?.trim() ?? '')
  if (clock !== null) {
    const [, hours, minutes, seconds, fraction = '0', frame = '0'] = clock
    const wholeS = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
    return Math.round((wholeS + Number(`0.${fraction}`) + Number(frame) / rates.frames) * 1000)
  }
  const [, count, unit] = OFFSET.exec(value?.trim() ?? '') ?? []
  if (count === undefined) return null
  if (unit === 'f') return Math.round((Number(count) * 1000) / rates.frames)
  if (unit === 't') return Math.round((Number(count) * 1000) / rates.ticks)
  return Math.round(Number(count) * MS_OF_UNIT[(unit ?? 's') as keyof typeof MS_OF_UNIT])
}

/** An element that is open: from when on its times count, and its cue. */
interface Open {
  name: string
  baseMs: number
  cue: RawCue | null
  /** Of the person that this says the name of, or whose words it holds. */
  agent: string | undefined
}

/** Whether a file is TTML or DFXP. */
export function isTtml({ text }: CaptionFile): boolean {
  return ROOT.test(text)
}

/** Goes through the tags of a file in one pass; a parser of XML would refuse a file that is cut off. */
class TtmlReader {
  readonly cues: RawCue[] = []
  #rates: Rates = { frames: USUAL_FRAME_RATE, ticks: 1 }
  readonly #open: Open[] = []
  readonly #agents = new Map<string, string>()
  readonly #cueAgents: [cue: RawCue, agent: string][] = []
  readonly #text: string
  readonly #findLine: (at: number) => number

  constructor(text: string) {
    this.#text = text
    this.#findLine = openLineCounter(text)
  }

  readAll(): RawCue[] {
    let from = 0
    for (const match of this.#text.matchAll(TAG)) {
      this.#addText(this.#text.slice(from, match.index))
      from = match.index + match[0].length
      const [, content = ''] = match
      const [begin = '', slash, name] = NAME.exec(content) ?? []
      if (name === undefined) continue
      if (slash === '/') this.#close(name.toLowerCase())
      else this.#begin(name.toLowerCase(), readAttributes(content.slice(begin.length)), match.index)
      if (slash === '' && content.endsWith('/')) this.#close(name.toLowerCase())
    }
    this.#addText(this.#text.slice(from))
    this.#nameSpeakers()
    return this.cues
  }

  /** Agents may stand behind what they say. */
  #nameSpeakers(): void {
    for (const [cue, agent] of this.#cueAgents) {
      const speaker = this.#agents.get(agent)
      if (speaker !== undefined) cue.speaker = speaker
    }
  }

  #addText(text: string): void {
    const open = this.#open.at(-1)
    if (open?.name === 'name' && open.agent !== undefined && text.trim() !== '')
      this.#agents.set(open.agent, text.trim())
    const cue = open?.cue
    if (cue === null || cue === undefined || text === '') return
    const last = cue.lines.length - 1
    cue.lines[last] = `${cue.lines[last] ?? ''}${text.replaceAll(/\s+/g, ' ')}`
  }

  #begin(name: string, attributes: Map<string, string>, at: number): void {
    const parent = this.#open.at(-1)
    if (name === 'tt') this.#rates = readRates(attributes)
    if (name === 'br') parent?.cue?.lines.push('')
    const beginMs = readClock(attributes.get('begin'), this.#rates)
    const baseMs = (parent?.baseMs ?? 0) + (beginMs ?? 0)
    const isCue = name === 'p' || (name === 'span' && beginMs !== null)
    const cue = isCue ? this.#push(attributes, baseMs, at) : null
    const agent = attributes.get(name === 'agent' ? 'id' : 'agent') ?? parent?.agent
    if (cue !== null && agent !== undefined) this.#cueAgents.push([cue, agent])
    if (this.#open.length < DEPTH_MAX) this.#open.push({ name, baseMs, cue: cue ?? parent?.cue ?? null, agent })
  }

  #push(attributes: Map<string, string>, startMs: number, at: number): RawCue {
    const parentMs = this.#open.at(-1)?.baseMs ?? 0
    const endMs = readClock(attributes.get('end'), this.#rates)
    const lengthMs = readClock(attributes.get('dur'), this.#rates)
    const cue: RawCue = {
      lineIndex: this.#findLine(at),
      startMs: readClock(attributes.get('begin'), this.#rates) === null && startMs === 0 ? null : startMs,
      endMs: endMs === null ? (lengthMs === null ? null : startMs + lengthMs) : parentMs + endMs,
      lines: [''],
    }
    this.cues.push(cue)
    return cue
  }

  #close(name: string): void {
    const at = this.#open.findLastIndex((each) => each.name === name)
    // What was not closed is closed with what it is in.
    if (at !== -1) this.#open.length = at
  }
}

/** Reads TTML and DFXP: times of the clock, in frames and in ticks; styles are lost. */
export function readTtml({ text }: CaptionFile): RawCue[] {
  return new TtmlReader(text).readAll().filter(({ lines }) => lines.some((line) => line.trim() !== ''))
}
