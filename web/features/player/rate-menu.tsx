import { useId } from 'react'
import { PanelChoice, PlayerPanel } from './player-panel.tsx'
import { RATES } from './player-settings.ts'
import { usePlayer } from './player-store.ts'

export function RateMenu() {
  const store = usePlayer()
  const chosen = usePlayer((state) => state.playbackRate)
  const group = useId()
  return (
    <PlayerPanel
      label="Playback speed"
      className="player-rate"
      face={
        <>
          <span className="sr-only">Playback speed </span>
          {chosen}×
        </>
      }
    >
      {RATES.map((rate) => (
        <PanelChoice
          key={rate}
          type="radio"
          group={group}
          label={rate === 1 ? 'Normal' : `${rate}×`}
          isOn={rate === chosen}
          onChange={() => store.setPlaybackRate(rate)}
        />
      ))}
    </PlayerPanel>
  )
}
