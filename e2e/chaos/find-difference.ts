/** Where two JSON values first differ, in words: `steps[3].title is "Wipe" instead of "Open"`. @returns null if equal */
export function findDifference(expected: unknown, actual: unknown, path = ''): string | null {
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length !== actual.length) {
    return `${path} has ${actual.length} entries instead of ${expected.length}`
  }
  if (!isObject(expected) || !isObject(actual)) {
    return Object.is(expected, actual) ? null : formatDifference(expected, actual, path)
  }
  for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const inner = Array.isArray(expected) ? `${path}[${name}]` : [path, name].filter(Boolean).join('.')
    const difference = findDifference(expected[name], actual[name], inner)
    if (difference !== null) return difference
  }
  return null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Long texts are shown from shortly before they part. */
const SHOWN_CHARS = 80
const BEFORE_CHARS = 20

function formatDifference(expected: unknown, actual: unknown, path: string): string {
  const [wanted, found] = [JSON.stringify(expected) ?? 'undefined', JSON.stringify(actual) ?? 'undefined']
  const partedAt = found.split('').findIndex((char, at) => char !== wanted[at])
  const from = Math.max(0, (partedAt === -1 ? found.length : partedAt) - BEFORE_CHARS)
  const show = (text: string) =>
    text.length <= SHOWN_CHARS ? text : `…${text.slice(from, from + SHOWN_CHARS)}… (${text.length} characters)`
  return `${path} is ${show(found)} instead of ${show(wanted)}`
}
