/** A line that sends the viewer somewhere: "Start at 1:23", "[00:45] …", "at: 30 seconds". */
const TIME = String.raw`(?:\d{1,3}:\d{2}(?::\d{2})?|\d+(?:\.\d+)?\s?(?:s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b)`
const MARKER = new RegExp(
  String.raw`^[\s\-*•>#_"'“(\[]*(?:(?:start(?:s|ing)?|begin(?:s|ning)?|jump|go|skip)?\s*(?:at|to|@)\b\s*(?:time(?:stamp)?)?|time(?:stamp)?|start(?:\s*time)?)[\s*_]*[:=\-–]?[\s*_(\[]*${TIME}`,
  'i',
)
const BARE_TIME = new RegExp(String.raw`^[\s\-*•>#_"'“]*[*_(\[]*\d{1,3}:\d{2}(?::\d{2})?`)

/** Whether a line of an answer begins with a start-at or time marker; such lines are not shown. @see specification §5 */
export function isTimeMarker(line: string): boolean {
  return MARKER.test(line) || BARE_TIME.test(line)
}

/** An answer without the lines that {@link isTimeMarker} names. */
export function dropTimeMarkers(answer: string): string {
  return answer
    .split('\n')
    .filter((line) => !isTimeMarker(line))
    .join('\n')
}
