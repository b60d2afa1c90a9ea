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

/**
 * Both toggle by what the document shows: the library's own state is older until the browser has sent its event, so that
 * a quick second press would ask for the same once more.
 */
const screenFeature: typeof fullscreenFeature = {
  ...fullscreenFeature,
  state(context) {
    const state = fullscreenFeature.state(context)
    const toggleFullscreen = oneByOne(() => state.toggleFullscreen())
    return { ...state, toggleFullscreen, requestFullscreen: toggleFullscreen, exitFullscreen: toggleFullscreen }
  },
}

const smallScreenFeature: typeof pipFeature = {
  ...pipFeature,
  state(context) {
    const state = pipFeature.state(context)
    const toggle = oneByOne(() => state.togglePictureInPicture())
    return { ...state, togglePictureInPicture: toggle, requestPictureInPicture: toggle, exitPictureInPicture: toggle }
  },
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
    screenFeature,
    smallScreenFeature,
    controlsFeature,
    textTrackFeature,
  ],
})

/** Carries out presses of a switch in turn: each one waits until the browser has completed the one before. */
export function oneByOne<Result>(act: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null
  return () => {
    // Without a wait where there is nothing to wait for: browsers open a full screen only in the press itself.
    const next = running === null ? act() : running.then(act, act)
    const end = () => {
      if (running === next) running = null
    }
    running = next
    next.then(end, end)
    return next
  }
}
