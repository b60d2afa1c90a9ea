import fc from 'fast-check'
import type { FileFuzzOptions } from '#media/testing/fuzz/fuzz-media.ts'
import { AppError } from '#worker/core/errors.ts'
import { decodeCaptions } from '#worker/domain/transcript/decode-captions.ts'
import { parseCaptions } from '#worker/domain/transcript/parse-captions.ts'
import { segmentsFromCues } from '#worker/domain/transcript/segments-from-cues.ts'
import type { Cue } from '../cue.ts'

const SEEDS = [
  'WEBVTT - made by hand\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE\nfor the editor\n\nintro\n00:01.000 --> 00:03.500 align:start\n<v Ann>Open the <b>File</b> menu</v>\n\n01:00:00.000 --> 01:00:02.000\nthen click\n<00:00:01.500><c.yellow>Save</c>\n',
  '\ufeff1\r\n00:00:00,000 --> 00:00:05,000\r\nDear friends, welcome.\r\n\r\n2\r\n00:00:05,500 --> 00:01:00,000\r\nIn this tutorial.\r\n',
  'WEBVTT\n\n00:00.000 --> 00:02.000\nso<00:00:00.500><c> today</c>\n\n00:02.000 --> 00:04.000\nso today\nwe begin\n\n00:04.000 --> 00:06.000\nwe begin\nat last\n',
  '[Script Info]\nTitle: x\n\n[Events]\nFormat: Layer, Start, End, Style, Text\nDialogue: 0,0:00:01.00,0:00:04.00,Default,{\\an8}Open it,\\Nnow\nDialogue: 0,0:00:05.00,0:00:06.00,Default,{\\p1}m 0 0{\\p0}\n',
  '<?xml version="1.0"?><tt xmlns="x" ttp:frameRate="25"><body begin="1s"><div><p begin="00:00:01:05" dur="50f">Open<br/>it</p><p begin="5s" end="8s"><span begin="0s">Go</span> on</p></div></body></tt>',
  '{1}{1}25\n{25}{100}{y:i}Open it|now\n{125}{}Close it\n',
  '{"segments":[{"start":0.5,"end":2,"text":" Open it."},{"start":3,"end":"4.5","text":"Close it."}]}',
  '[00:00:01:00 - 00:00:04:12]\nOpen it.\n\n0:00:05.000,0:00:07.000\nClose it.\n',
  '[10][40]/Open it|now\n[50][80]Close it\n',
  'start\tend\ttext\tspeaker\n0\t4500\tOpen it\tAda\n5000\t9500\t"Close ""it"""\tBen\n',
  '<SAMI><BODY><SYNC Start=1000><P Class=ENCC>Open<br>it\n<SYNC Start=4000><P>&nbsp;\n<SYNC Start=5000><P>Close it</BODY></SAMI>',
  '<timedtext format="3"><body><p t="0" d="4500"><s>Open</s><s t="9"> it</s></p><p t="5000" d="4500">Close it</p></body></timedtext>',
  '{"results":{"items":[{"start_time":"0.5","end_time":"1","type":"pronunciation","alternatives":[{"content":"Open"}]},{"type":"punctuation","alternatives":[{"content":"."}]}]}}',
  'Ada Example  0:05\nOpen it.\n\nBen Muster  0:09\nClose it.\n',
  '1\n00:00:00,000 --> 00:00:04,000\nAda Example: Open the lid and wait.\nDie Klappe öffnen und dann warten.\n\n2\n00:00:04,000 --> 00:00:08,000\n- Take it out of the tank.\n- Den Filter aus dem Tank nehmen.\n\n3\n00:00:08,000 --> 00:00:09,000\n>> BEN: Then close it with the key.\nDann mit dem Schlüssel schließen. (lacht)\n',
  '[ti:x]\n[00:01.00][00:09.00]Open it\n[00:05.00]Close it\n',
]
/** What stands in the way of a parser of captions. */
const PIECES = [
  '<v ',
  '\n>> A: ',
  '\n- ',
  '♪'.repeat(300),
  '['.repeat(300),
  '\ufdd0',
  '-->',
  '\n-->\n',
  '99:99:99.999',
  '00:00:00.000 --> 99999999999999999999:00:00.000',
  '00:00:-1,000',
  '\n\n\n',
  '\r',
  '\0',
  '\u2028',
  '\ufeff',
  '<'.repeat(500),
  '&#x10ffff;&#xd800;&#0;',
  '{\\an8',
  '\nNOTE',
  '\nSTYLE\n',
  '\nREGION\n',
  '1'.repeat(300),
  '\u202e',
  '💥',
  'ı̇',
  'WEBVTT',
]

interface Mutation {
  how: 'insert' | 'cut' | 'flip' | 'repeat' | 'swap'
  at: number
  other: number
  piece: string
}

const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    how: fc.constantFrom('insert', 'cut', 'flip', 'repeat', 'swap'),
    at: fc.nat(1_000),
    other: fc.nat(1_000),
    piece: fc.constantFrom(...PIECES),
  }),
  { minLength: 1, maxLength: 5 },
)

function mutate(text: string, { how, at, other, piece }: Mutation): string {
  const place = at % (text.length + 1)
  if (how === 'insert') return text.slice(0, place) + piece + text.slice(place)
  if (how === 'cut') return text.slice(0, place) + text.slice(place + (other % 30))
  const lines = text.split('\n')
  const [one, two] = [at % lines.length, other % lines.length]
  if (how === 'repeat')
    return lines.flatMap((line, i) => Array.from({ length: i === one ? other % 20 : 1 }, () => line)).join('\n')
  if (how === 'swap') return lines.map((line, i) => (i === one ? lines[two] : i === two ? lines[one] : line)).join('\n')
  return (
    text.slice(0, place) +
    String.fromCharCode((text.charCodeAt(place) || 0) ^ (1 << (other % 8))) +
    text.slice(place + 1)
  )
}

export interface CaptionFuzzReport {
  ends: Record<'read' | 'refused', number>
  slowestMs: number
  faults: string[]
}

/** A few kilobytes are read in a millisecond. */
const LONGEST_MS = 1_000
const ENCODINGS = ['utf-8', 'utf-16', 'latin1'] as const

/** Damages caption files and reads each as an upload is read. */
export function fuzzCaptions({ seed, cases, longestMs = LONGEST_MS }: FileFuzzOptions): CaptionFuzzReport {
  const report: CaptionFuzzReport = { ends: { read: 0, refused: 0 }, slowestMs: 0, faults: [] }
  for (const [at, all] of fc.sample(mutations, { seed, numRuns: cases }).entries()) {
    const text = all.reduce(mutate, SEEDS[at % SEEDS.length] ?? '')
    const startedMs = performance.now()
    const { end, fault } = readOne(encode(text, ENCODINGS[at % ENCODINGS.length] ?? 'utf-8'))
    const tookMs = performance.now() - startedMs
    report.ends[end] += 1
    report.slowestMs = Math.max(report.slowestMs, tookMs)
    const faults = [fault, tookMs > longestMs ? `took ${Math.round(tookMs)} ms` : null]
    for (const what of faults)
      if (what !== null) report.faults.push(`case ${at} of seed ${seed}: ${what}: ${JSON.stringify(text)}`)
  }
  return report
}

function encode(text: string, encoding: (typeof ENCODINGS)[number]): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text)
  if (encoding === 'latin1') return Uint8Array.from(text, (char) => char.charCodeAt(0))
  return new Uint8Array(new Uint16Array([0xfeff, ...Array.from(text, (char) => char.charCodeAt(0))]).buffer)
}

function readOne(bytes: Uint8Array): { end: 'read' | 'refused'; fault: string | null } {
  try {
    const { text, log } = decodeCaptions(bytes)
    const { cues } = parseCaptions(text, { log })
    const silent = cues.find(({ text }) => !/[\p{L}\p{N}]/u.test(text))
    const fault = silent === undefined ? findCueFault(segmentsFromCues(cues)) : `a cue says ${silent.text}`
    return { end: 'read', fault: findCueFault(cues) ?? fault }
  } catch (error) {
    const isRefusal = error instanceof AppError && error.code === 'captions_invalid' && error.message !== ''
    return {
      end: 'refused',
      fault: isRefusal ? null : error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  }
}

function findCueFault(cues: readonly Cue[]): string | null {
  if (cues.length === 0) return 'nothing is left'
  for (const [at, { startMs, endMs, text }] of cues.entries()) {
    const isInOrder = Number.isSafeInteger(startMs) && Number.isSafeInteger(endMs) && endMs > startMs
    if (!isInOrder || startMs < (cues[at - 1]?.endMs ?? 0)) return `cue ${at} goes from ${startMs} to ${endMs}`
    if (text.trim() === '' || !text.isWellFormed()) return `cue ${at} says ${JSON.stringify(text)}`
  }
  return null
}
