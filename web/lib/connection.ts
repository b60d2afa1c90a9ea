/** What some browsers tell of the line (wicg.github.io/netinfo); none of it is in Safari or Firefox. */
interface Connection extends EventTarget {
  saveData?: boolean
  type?: string
  effectiveType?: string
}

/** What the browser tells of the line; null where it tells nothing. */
export function findConnection(): Connection | null {
  return (navigator as Navigator & { connection?: Connection }).connection ?? null
}

/** Lines as slow as mobile ones were before 4G. */
const SLOW: ReadonlySet<string | undefined> = new Set(['slow-2g', '2g', '3g'])

/** Whether a large file would cost the person money or a long wait, as far as the browser tells. */
export function sparesData(): boolean {
  const { saveData, type, effectiveType } = findConnection() ?? {}
  return saveData === true || type === 'cellular' || SLOW.has(effectiveType)
}
