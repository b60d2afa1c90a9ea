import { imageUrl } from '#contract/image-url.ts'
import type { Step } from '#contract/step.ts'
import type { PlayerStep } from '#web/features/player/player-step.ts'
import type { ListedStep } from '#web/features/step/step-list.tsx'

/** Always the same list, so that nothing is drawn again for it. */
export const NO_STEPS: readonly Step[] = []

/**
 * The steps on the time line of a player.
 * @param posterUrl as the module's answer has it; without a poster there are no other images either
 * @param nameStep what the player calls a step, where that is not its title
 */
export function listPlayerSteps(
  steps: readonly ListedStep[],
  posterUrl: string | null,
  nameStep?: (step: ListedStep) => string,
): readonly PlayerStep[] {
  return steps
    .map((step) => ({ ...step, title: nameStep?.(step) ?? step.title, imageUrl: findImageUrl(step, posterUrl) }))
    .toSorted((a, b) => a.start - b.start)
}

/** The poster is no preview of a step. */
function findImageUrl({ image }: ListedStep, posterUrl: string | null): string | undefined {
  return image && image !== 'poster' && posterUrl ? imageUrl(posterUrl, image) : undefined
}
