import { type ReactNode, useState } from 'react'
import { useMediaQuery } from '#web/lib/browser-state.ts'
import './workplace.css'

/** From here on there is room for steps and tutor beside the video. */
const WIDE = '(min-width: 64rem)'

export function useIsWide(): boolean {
  return useMediaQuery(WIDE)
}

export function sectionId(name: string): string {
  return `section-${name}`
}

interface WorkplaceProps {
  video: ReactNode
  /** How far the module is. Above the tutor, so that nothing that is followed moves when it goes. */
  status?: ReactNode
  /** Links to the sections; without them a wide screen shows all sections, too. */
  nav?: ReactNode
  steps: ReactNode
  /** What is to be decided about the steps. */
  proposals?: ReactNode
  /** Company to the video: stays beside it, and stands above it where there is no room. */
  company: ReactNode
  /** By name; the first stands above the steps where there is one column. */
  sections: Readonly<Record<string, ReactNode>>
  /** The section that a wide screen shows. */
  shown?: string
}

/**
 * Places the parts of a training page. The keyboard goes the way that is seen: the order in the document is that of the
 * screen on which the page was opened, since moving the video in the document would stop it.
 */
export function Workplace({
  video,
  status,
  nav,
  steps,
  proposals,
  company,
  sections,
  shown: currentSection,
}: WorkplaceProps) {
  const isWide = useIsWide()
  const [wasWide] = useState(isWide)
  const parts = {
    video: drawPart('video', video),
    status: drawPart('status', !isWide && status),
    nav: drawPart('nav', nav),
    steps: drawPart('steps', steps),
    proposals: drawPart('proposals', proposals),
    company: drawPart(
      'company',
      <>
        <div className="min-w-0 empty:hidden lg:pb-4">{isWide && status}</div>
        <div className="workplace-company min-w-0">{company}</div>
      </>,
    ),
  }
  const [first, ...others] = Object.entries(sections).map(([name, content], index) => (
    <div
      key={name}
      data-part={index === 0 ? 'transcript' : 'section'}
      data-away={nav && name !== currentSection ? '' : undefined}
      className="min-w-0"
    >
      {/* Not its parent: the keyboard passes by what is in a `reading-flow` item that it cannot stop at. */}
      <div id={sectionId(name)} tabIndex={-1} className="scroll-mt-20 focus:outline-none">
        {content}
      </div>
    </div>
  ))
  return (
    <div className="workplace">
      {wasWide
        ? [parts.video, parts.status, parts.steps, parts.company, parts.nav, parts.proposals, first, ...others]
        : [parts.company, parts.video, parts.status, parts.nav, first, parts.steps, parts.proposals, ...others]}
    </div>
  )
}

function drawPart(name: string, content: ReactNode) {
  return (
    <div key={name} data-part={name} className="min-w-0 empty:hidden">
      {content}
    </div>
  )
}
