import type { Step } from '#contract/step.ts'
import { type ListedStep, StepImage } from '#web/features/step/step-list.tsx'

/** Learners are not told which moment an image shows. */
type IllustratedStep = Pick<ListedStep, 'start' | 'end' | 'image' | 'imageText'> & Partial<Pick<Step, 'imageAt'>>

/** What is on a screen changes, so an image from further away may show something else. */
const NEAR_S = 20
/** An image that no person has chosen is from this share of its step, as `web/lib/step-images.ts` looks for it. */
const IMAGE_SHARE = 1 / 3

/** Finds the step whose own image was taken nearest to a moment; undefined where none is near. */
export function findPictured<Row extends IllustratedStep>(steps: readonly Row[], seconds: number): Row | undefined {
  const [nearest] = steps
    .filter(({ image }) => image !== null && image !== 'poster')
    .map((step) => ({ step, away: distanceOf(step, seconds) }))
    .filter(({ away }) => away <= NEAR_S)
    .toSorted((a, b) => a.away - b.away)
  return nearest?.step
}

function distanceOf({ start, end, imageAt }: IllustratedStep, seconds: number): number {
  const isChosen = typeof imageAt === 'number'
  const [from, until] = isChosen ? [imageAt, imageAt] : [start, start + (end - start) * IMAGE_SHARE]
  return Math.max(0, from - seconds, seconds - until)
}

interface AnswerFrameProps {
  steps: readonly IllustratedStep[]
  posterUrl: string | null
  seconds: number
}

/** Shows what is on the screen at a moment that an answer cites, where an image of it exists. */
export function AnswerFrame({ steps, posterUrl, seconds }: AnswerFrameProps) {
  const step = findPictured(steps, seconds)
  return step === undefined ? null : <StepImage {...{ step, posterUrl }} className="mt-2" />
}
