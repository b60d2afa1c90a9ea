import {
  bufferFeature,
  controlsFeature,
  createPlayer,
  fullscreenFeature,
  pipFeature,
  playbackFeature,
  playbackRateFeature,
  sourceFeature,
  textTrackFeature,
  timeFeature,
  volumeFeature,
} from '@videojs/react'
import { RATES } from './player-settings.ts'

/** The library's own rates are 0.2 to 2 and cannot be set by a prop. */
const ratesFeature: typeof playbackRateFeature = {
  ...playbackRateFeature,
  state: (context) => ({ ...playbackRateFeature.state(context), playbackRates: RATES }),
}

/** What our controls use. The library's own list also knows of streams, qualities and casting, which would be loaded. */
export const { Player, usePlayer } = createPlayer({
  features: [
    playbackFeature,
    ratesFeature,
    volumeFeature,
    timeFeature,
    sourceFeature,
    bufferFeature,
    fullscreenFeature,
    pipFeature,
    controlsFeature,
    textTrackFeature,
  ],
})
