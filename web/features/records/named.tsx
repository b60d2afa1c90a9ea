import type { ReactNode } from 'react'

/** What `fillMarks` puts in the place of a text of people, whose letters may run the other way. */
export const NAMED = { name: (inner: string): ReactNode => <bdi>{inner}</bdi> }
