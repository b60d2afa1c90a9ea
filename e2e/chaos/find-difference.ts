/** Where two JSON values first differ, in words: `steps[3].title is "Wipe" instead of "Open"`. @returns null if equal */
export function findDifference(expected: unknown, actual: unknown, path = ''): string | null {
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length !== actual.length) {
    return `${path} has ${actual.length} entries instead of ${expected.length}`
  }
  if (!isObject(expected) || !isObject(actual)) {
    return Object.is(expected, actual)
      ? null
      : `${path} is ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`
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
