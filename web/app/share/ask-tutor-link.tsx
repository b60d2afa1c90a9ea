import { MessageCircleQuestion } from 'lucide-react'
import type { MouseEvent } from 'react'
import { buttonClass } from '#web/ui/button.tsx'
import { trainingPath } from '../paths.ts'

interface AskTutorLinkProps {
  moduleId: string
  /** Where the video is now. */
  getTimeS: () => number
}

/** The way to the tutor: the training page, at the same place. Signed out, it leads through sign-in and back. */
export function AskTutorLink({ moduleId, getTimeS }: AskTutorLinkProps) {
  const href = () => `${trainingPath(moduleId)}?seek=${Math.floor(getTimeS())}`
  function update({ currentTarget }: MouseEvent<HTMLAnchorElement>) {
    currentTarget.href = href()
  }
  return (
    // The page is not drawn for each tick of the clock, and a link can be opened in other ways than by a click.
    <a
      href={href()}
      onClick={update}
      onPointerDown={update}
      className={buttonClass({ variant: 'secondary', size: 'small', className: 'shrink-0' })}
    >
      <MessageCircleQuestion aria-hidden="true" className="size-4" />
      Ask the tutor
    </a>
  )
}
