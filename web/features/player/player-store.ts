import { createPlayer, playbackRateFeature } from '@videojs/react'
import { videoFeatures } from '@videojs/react/video'
import { RATES } from './player-settings.ts'

/** The library's own rates are 0.2 to 2 and cannot be set by a prop. */
const ratesFeature: typeof playbackRateFeature = {
  ...playbackRateFeature,
  state: (context) => ({ ...playbackRateFeature.state(context), playbackRates: RATES }),
}

export const { Player, usePlayer } = createPlayer({
  features: [...videoFeatures.filter((feature) => feature.name !== 'playbackRate'), ratesFeature],
})
