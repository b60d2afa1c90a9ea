interface Backoff {
  /** After the first failure, in milliseconds. */
  firstMs: number
  maxMs: number
}

/**
 * How long to wait after some failures in a row: twice as long after each. Up to half of it is left out at random, so
 * that browsers that lost a server at the same moment do not return at the same moment.
 * @param failures before the one that is waited for, from 0
 * @returns milliseconds
 */
export function backoffAfter(failures: number, { firstMs, maxMs }: Backoff): number {
  return Math.min(maxMs, firstMs * 2 ** failures) * (0.5 + Math.random() / 2)
}
