import { type ComponentType, lazy, type ReactNode } from 'react'

const forgetters = new Set<() => void>()

/**
 * A component whose code is loaded when it is first drawn. React's own `lazy` keeps a failure for ever; this one asks
 * again after {@link forgetFailedParts}, so that trying again can help. `import(…).then(…)` is built into less script
 * than `(await import(…))`, for each part.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let Part = open()

  function open() {
    return lazy(async () => {
      try {
        return { default: await load() }
      } catch (error) {
        forgetters.add(forget)
        throw error
      }
    }) as ComponentType<Props>
  }

  function forget() {
    Part = open()
  }

  return function LazyPart(props: Props): ReactNode {
    return <Part {...props} />
  }
}

/** Called before a retry renders the part again after a failure. */
export function forgetFailedParts(): void {
  for (const forget of forgetters) forget()
  forgetters.clear()
}
