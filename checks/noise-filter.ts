/**
 * Lines that workerd prints when a test does on purpose what is not an everyday event: a reader that is cancelled,
 * a client that goes away, an object that is reset. A test that fails says so itself.
 */
const EXPECTED = [
  /^exception = \S+: disconnected: (?:reader canceled|read end of pipe was aborted|abortRead\(\) has been called)/,
  /^exception = \S+: failed: jsg\.Error: Application called (?:delete|abort)AllDurableObjects\(\)/,
  /^exception = \S+: failed: jsg\.Error: ReadableStream received over RPC disconnected prematurely/,
]
/** Addresses inside workerd, which belong to the exception before them. */
const STACK = /^stack: /

/** Decides line by line what of a test run's output is noise. */
export function openNoiseFilter(): (line: string) => boolean {
  let isAfterNoise = false
  return (line) => {
    const isNoise = EXPECTED.some((pattern) => pattern.test(line)) || (isAfterNoise && STACK.test(line))
    isAfterNoise = isNoise
    return isNoise
  }
}
