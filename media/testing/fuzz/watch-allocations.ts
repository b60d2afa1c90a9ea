/** The largest piece of memory that was asked for at once while it was watched. */
export interface Watched {
  readonly largestBytes: number
  stop(): void
}

const WATCHED = [
  'ArrayBuffer',
  'Uint8Array',
  'Uint16Array',
  'Uint32Array',
  'Float32Array',
  'Float64Array',
  'Array',
] as const
/** Of a number in a list, at least. */
const LIST_ITEM_BYTES = 8

/** Notes what is made with a length alone: what a file claims to need rather than what it has. */
export function watchAllocations(): Watched {
  let largestBytes = 0
  const scope = globalThis as unknown as Record<string, new (...args: unknown[]) => object>
  const real = WATCHED.map((name) => [name, scope[name]] as const)
  for (const [name, Real] of real) {
    if (Real === undefined) continue
    const itemBytes =
      (Real as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? (name === 'Array' ? LIST_ITEM_BYTES : 1)
    scope[name] = new Proxy(Real, {
      construct(target, args: unknown[], newTarget) {
        const [length] = args
        const isLength = args.length === 1 && typeof length === 'number' && !Number.isNaN(length)
        if (isLength) largestBytes = Math.max(largestBytes, length * itemBytes)
        return Reflect.construct(target, args, newTarget)
      },
    })
  }
  return {
    get largestBytes() {
      return largestBytes
    },
    stop() {
      for (const [name, Real] of real) if (Real !== undefined) scope[name] = Real
    },
  }
}
