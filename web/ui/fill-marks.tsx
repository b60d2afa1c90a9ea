import { Fragment, type ReactNode } from 'react'

/**
 * Puts elements in the place of the marked parts of a text: of `Open <link>its address</link>.` the mark `link` is given
 * "its address". A language may order the parts as it needs them.
 */
export function fillMarks(text: string, marks: Record<string, (inner: string) => ReactNode>): ReactNode[] {
  return text
    .split(/(<(\w+)>.*?<\/\2>)/)
    .filter((_, at) => at % 3 !== 2)
    .map((part) => {
      const [, name = '', inner = ''] = /^<(\w+)>(.*)<\/\1>$/.exec(part) ?? []
      return <Fragment key={part}>{marks[name]?.(inner) ?? part}</Fragment>
    })
}
