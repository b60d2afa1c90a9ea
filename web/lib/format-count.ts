const COUNTS = new Intl.NumberFormat('en-US')

/** `12,400` */
export function formatCount(count: number): string {
  return COUNTS.format(count)
}
