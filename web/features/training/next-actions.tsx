import type { ReactNode } from 'react'
import { sayAbout } from '#web/lib/format/say-about.ts'

const MINUTE_S = 60

/** What an owner can do where nothing, or too little, was found in a video. */
type Way = 'captions' | 'scenes' | 'steps'

/** How long each way takes an owner, in seconds, by the length of the video; null where it is not known. */
const ESTIMATES: Record<Way, (durationS: number | null) => number | null> = {
  // A file is chosen and sent.
  captions: () => MINUTE_S,
  // The video is seen once, and each scene gets a title on the way.
  scenes: (durationS) => (durationS === null ? null : Math.max(2 * MINUTE_S, durationS)),
  // It is stopped for each step, which is described as well.
  steps: (durationS) => (durationS === null ? null : Math.max(3 * MINUTE_S, 2 * durationS)),
}

/** What can be done next, the quickest first: a {@link NextAction} each, and links without a cost after them. */
export function NextActions({ children }: { children: ReactNode }) {
  return <ul className="flex flex-wrap items-start gap-x-5 gap-y-4 in-[.text-center]:justify-center">{children}</ul>
}

interface NextActionProps {
  way: Way
  /** Of the video; null where it is not known. */
  durationS: number | null
  /** Its button. */
  children: ReactNode
}

/** One way on: its button, and how long it takes as far as that is known. */
export function NextAction({ way, durationS, children }: NextActionProps) {
  const seconds = ESTIMATES[way](durationS)
  return (
    <li className="flex max-w-72 flex-col items-start gap-1.5 in-[.text-center]:items-center">
      {children}
      {seconds !== null && <p className="text-sm text-ink-soft">{sayAbout(seconds)}</p>}
    </li>
  )
}
