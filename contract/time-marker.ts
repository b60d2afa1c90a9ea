/** A marker stands at the beginning of a line; what comes later is not looked at. */
const MARKER_MAX_CHARS = 200
const TIME = String.raw`(?:\d{1,3}:\d{2}(?::\d{2})?|\d{1,6}(?:\.\d{1,3})? ?(?:s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b)`
/** A line that sends the viewer somewhere: "Start at 1:23", "[00:45] …", "at: 30 seconds". */
const MARKER = new RegExp(
  String.raw`^(?:(?:(?:start(?:s|ing)?|begin(?:s|ning)?|jump|go|skip) ?)?(?:at|to|@)\b ?(?:time(?:stamp)?)?|time(?:stamp)?|start(?: ?time)?) ?[:=\-–]? ?${TIME}`,
  'i',
)
const BARE_TIME = /^\d{1,3}:\d{2}/

/** Whether a line of an answer begins with a start-at or time marker; such lines are not shown. @see specification §5 */
export function isTimeMarker(line: string): boolean {
  const begin = line
    .slice(0, MARKER_MAX_CHARS)
    .replace(/[\s*_([]+/g, ' ')
    .replace(/^[ \->#•"'“]+/, '')
  return MARKER.test(begin) || BARE_TIME.test(begin)
}

/** An answer without the lines that {@link isTimeMarker} names. */
export function dropTimeMarkers(answer: string): string {
  return answer
    .split('\n')
    .filter((line) => !isTimeMarker(line))
    .join('\n')
}
