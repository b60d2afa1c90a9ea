/** Workers AI has written `00.820 --> 01.520`, without the minutes that WebVTT asks for. */
const TIME = String.raw`(?:(?:(\d+):)?(\d+):)?(\d+(?:[.,]\d+)?)`
const TIMING = new RegExp(`^\\s*${TIME}\\s*-->\\s*${TIME}`)

function toSeconds([hours = '0', minutes = '0', seconds = '0']: (string | undefined)[]): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'))
}

/** Reads the subtitles that a Whisper server writes of its own segments, in seconds; what is not a cue is passed over. */
export function readVtt(vtt: string): { text: string; start: number; end: number }[] {
  const blocks = vtt.replace(/\r\n?/g, '\n').split(/\n{2,}/)
  return blocks.flatMap((block) => {
    const lines = block.split('\n')
    const timingIndex = lines.findIndex((line) => TIMING.test(line))
    const [, ...times] = TIMING.exec(lines[timingIndex] ?? '') ?? []
    const text = lines
      .slice(timingIndex + 1)
      .join(' ')
      .trim()
    if (timingIndex === -1 || text === '') return []
    return [{ text, start: toSeconds(times.slice(0, 3)), end: toSeconds(times.slice(3)) }]
  })
}
