const CUE_S = 4
/** As much as one line of a transcript may have. */
const CUE_CHARS = 1_900

const clock = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(11, 19)

/**
 * Writes a caption file that says "press." as often as it holds, hundreds of times a cue.
 * @param bytes of the file, about
 * @param cueChars of each cue
 */
export function writePressCaptions(bytes: number, cueChars = CUE_CHARS): string {
  const words = 'press. '.repeat(Math.floor(cueChars / 7))
  const cues = Array.from({ length: Math.floor(bytes / (cueChars + 80)) }, (_, at) => {
    return `${clock(at * CUE_S)}.000 --> ${clock(at * CUE_S + CUE_S - 1)}.900\n${words}take tool number ${at}.\n`
  })
  return `WEBVTT\n\n${cues.join('\n')}`
}
