import { createPlayer, playbackRateFeature } from '@videojs/react'
import { videoFeatures } from '@videojs/react/video'

/** Above 2× browsers drop sound or frames, so the list ends there. */
const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]

/** The library's own rates are 0.2 to 2 and cannot be set by a prop. */
const ratesFeature: typeof playbackRateFeature = {
  ...playbackRateFeature,
  state: (context) => ({ ...playbackRateFeature.state(context), playbackRates: RATES }),
}

export const { Player, usePlayer } = createPlayer({
  features: [...videoFeatures.filter((feature) => feature.name !== 'playbackRate'), ratesFeature],
})
