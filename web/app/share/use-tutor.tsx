import { MessageCircleQuestion } from 'lucide-react'
import { type MouseEvent, useRef, useState } from 'react'
import type { SharedModule } from '#contract/share.ts'
import type { SharePageData } from '#contract/share-page.ts'
import * as m from '#messages'
import type { ListedStep } from '#web/features/step/step-list.tsx'
import { isAwaiting } from '#web/features/tutor/asked-trainer.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { PartBoundary } from '#web/ui/part-boundary.tsx'
import { trainingPath } from '../shared/paths.ts'

const LinkTutor = lazyPart(() => import('./link-tutor.tsx').then((part) => part.LinkTutor))

interface TutorPlace {
  module: SharedModule
  look: SharePageData['look']
  steps: readonly ListedStep[]
  currentId: string | null
  getTimeS: () => number
  onPlay: (seconds: number) => void
}

/** The way to the tutor: on this page where the owner lets people with the link ask, or else on the training page. */
export function useTutor({ module, look, steps, currentId, getTimeS, onPlay }: TutorPlace) {
  // A learner who waits for the trainer's answer has it in view on return.
  const [isAsking, setIsAsking] = useState(() => isAwaiting(module.id))
  const button = useRef<HTMLButtonElement>(null)
  if (!module.hasTutor) {
    // A frame on another site cannot sign in.
    return {
      action: look === 'page' && !module.isByLinkOnly && <AskTutorLink moduleId={module.id} getTimeS={getTimeS} />,
      panel: null,
    }
  }
  function close() {
    setIsAsking(false)
    // The pressed button has been removed from the page.
    button.current?.focus()
  }
  return {
    action: (
      <Button
        ref={button}
        variant="secondary"
        size="small"
        aria-expanded={isAsking}
        onClick={() => setIsAsking(!isAsking)}
        className="shrink-0"
      >
        <MessageCircleQuestion aria-hidden="true" className="size-4" />
        {m.ask_the_tutor()}
      </Button>
    ),
    panel: isAsking && (
      <PartBoundary retryLabel={m.load_the_tutor_again()}>
        <LinkTutor
          moduleId={module.id}
          steps={steps}
          posterUrl={module.posterUrl}
          getPlace={() => ({ videoTime: getTimeS(), stepId: currentId })}
          onPlay={onPlay}
          onClose={close}
        />
      </PartBoundary>
    ),
  }
}

/** Leads to the training page, at the same place. Signed out, it leads through sign-in and back. */
function AskTutorLink({ moduleId, getTimeS }: { moduleId: string; getTimeS: () => number }) {
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
      {m.ask_the_tutor()}
    </a>
  )
}
