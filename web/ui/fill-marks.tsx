import { Fragment, type ReactNode } from 'react'

/**
 * Puts elements in the place of the marked parts of a text: of `Open <link>its address</link>.` the mark `link` is given
 * "its address". A language may order the parts as it needs them.
 */
export function fillMarks(text: string, marks: Record<string, (inner: string) => ReactNode>): ReactNode[] {
  const begin = /<(\w+)>/.exec(text)
  const [tag = '', name = ''] = begin ?? []
  const [from, to] = [(begin?.index ?? 0) + tag.length, text.indexOf(`</${name}>`)]
  if (begin === null || to === -1) return [text]
  const rest = text.slice(to + name.length + 3)
  const fill = Object.hasOwn(marks, name) ? marks[name] : undefined
  const filled = fill?.(text.slice(from, to)) ?? text.slice(begin.index, text.length - rest.length)
  return [text.slice(0, begin.index), <Fragment key={rest.length}>{filled}</Fragment>, ...fillMarks(rest, marks)]
}

/** A part of a text that only screen readers have: `Open<hidden> the page in a new tab</hidden>`. */
export const HIDDEN = { hidden: (inner: string) => <span className="sr-only">{inner}</span> }
