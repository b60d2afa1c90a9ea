const TIME = String.raw`(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})`
const TIMING = new RegExp(`^${TIME} --> ${TIME}$`)
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }

interface ReadCue {
  startMs: number
  endMs: number
  text: string
}

/**
 * Reads what our files use of WebVTT, strictly by its grammar (w3.org/TR/webvtt1 §4): the first thing that a conforming
 * file must not have throws. Written apart from the writer.
 */
export function readVtt(file: string): ReadCue[] {
  const [head, ...blocks] = file.replace(/\n$/, '').split(/\n\n+/)
  if (head?.trimEnd() !== 'WEBVTT') throw new Error(`does not begin with WEBVTT: ${head}`)
  let lastStartMs = 0
  return blocks.map((block) => {
    const [timing = '', ...lines] = block.split('\n')
    const match = TIMING.exec(timing)
    if (match === null) throw new Error(`no timing: ${timing}`)
    const [startMs, endMs] = [readTime(match.slice(1, 5)), readTime(match.slice(5, 9))]
    if (endMs <= startMs) throw new Error(`ends before it begins: ${timing}`)
    if (startMs < lastStartMs) throw new Error(`begins before the one above: ${timing}`)
    lastStartMs = startMs
    return { startMs, endMs, text: lines.map(readText).join('\n') }
  })
}

function readTime([hours = '0', minutes, seconds, ms]: (string | undefined)[]): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(ms)
}

function readText(line: string): string {
  if (line.trim() === '' || line.includes('-->') || line.includes('\r')) throw new Error(`no line of a cue: ${line}`)
  if (/[<>]/.test(line)) throw new Error(`markup: ${line}`)
  if (/&(?!amp;|lt;|gt;)/.test(line)) throw new Error(`a bare &: ${line}`)
  return line.replaceAll(/&(amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity)
}
