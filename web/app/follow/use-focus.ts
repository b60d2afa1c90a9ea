import { useEffect, useEffectEvent, useRef } from 'react'
import type { ListedStep } from '#web/features/step/step-list.tsx'
import { lookAt } from '#web/lib/zoom/look-at.ts'
import type { Followed } from './use-following.ts'

/** A wider picture can be read as it is. */
const PHONE_PX = 640

/**
 * Lets the video show what a trainer has marked in a step, on a phone that is held upright. Who goes back to the whole
 * keeps it until the next step.
 */
export function useFocus({ player, clock }: Pick<Followed, 'player' | 'clock'>, step: ListedStep | undefined): void {
  /** What the video was last asked to show. */
  const shown = useRef<{ video: HTMLVideoElement; stepId: string | undefined; hasFocus: boolean }>(null)
  const look = useEffectEvent(() => {
    const video = player.current?.video
    // It may be loaded late, or anew.
    if (!video || (shown.current?.video === video && shown.current.stepId === step?.id)) return
    const focus = isUprightPhone() ? (step?.focus ?? null) : null
    if (focus !== null || shown.current?.hasFocus === true) lookAt(video, focus)
    shown.current = { video, stepId: step?.id, hasFocus: focus !== null }
  })
  useEffect(() => look(), [step?.id])
  useEffect(() => clock.subscribe(() => look()), [clock])
  useEffect(
    () => () => {
      if (shown.current?.hasFocus === true) lookAt(shown.current.video, null)
    },
    [],
  )
}

function isUprightPhone(): boolean {
  return window.innerWidth <= PHONE_PX && window.innerHeight > window.innerWidth
}
