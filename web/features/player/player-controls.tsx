import {
  CaptionsButton,
  Controls,
  FullscreenButton,
  MuteButton,
  PiPButton,
  PlayButton,
  Time,
  VolumeSlider,
} from '@videojs/react'
import {
  Captions,
  CaptionsOff,
  Maximize,
  Minimize,
  Pause,
  PictureInPicture2,
  Play,
  RotateCcw,
  Volume1,
  Volume2,
  VolumeX,
} from 'lucide-react'
import { useState } from 'react'
import type { Cuts } from '#contract/time/visible-time.ts'
import * as m from '#messages'
import { RateMenu, SettingsMenu, type SettingsMenuProps } from './player-menus.tsx'
import { usePlayerSettings } from './player-settings.ts'
import type { PlayerStep } from './player-step.ts'
import { usePlayer } from './player-store.ts'
import { CurrentStepName, SeekBar, StepButtons } from './step-controls.tsx'

function BigPlayButton() {
  const isPaused = usePlayer((state) => state.paused)
  const [hasPlayed, setHasPlayed] = useState(false)
  if (!isPaused && !hasPlayed) setHasPlayed(true)
  if (hasPlayed) return null
  return (
    <PlayButton
      className="player-big-play"
      label={m.play_video()}
      // The button goes away; the focus stays in the player, where the keys act.
      onClick={(event) => event.currentTarget.closest<HTMLElement>('.player')?.focus({ preventScroll: true })}
    >
      <Play aria-hidden fill="currentColor" />
    </PlayButton>
  )
}

function PlayPause() {
  return (
    <PlayButton
      className="player-button"
      render={(button, { paused, ended }) => {
        const Icon = paused ? Play : Pause
        return (
          <button {...button}>{ended ? <RotateCcw aria-hidden /> : <Icon aria-hidden fill="currentColor" />}</button>
        )
      }}
    />
  )
}

function VolumeControl() {
  return (
    <div className="player-volume">
      <MuteButton
        className="player-button"
        render={(button, { muted, volumeLevel }) => {
          const Audible = volumeLevel === 'high' ? Volume2 : Volume1
          const Icon = muted || volumeLevel === 'off' ? VolumeX : Audible
          return (
            <button {...button}>
              <Icon aria-hidden />
            </button>
          )
        }}
      />
      <VolumeSlider.Root className="player-slider player-volume-slider">
        <VolumeSlider.Track className="player-track">
          <VolumeSlider.Fill className="player-fill" />
        </VolumeSlider.Track>
        <VolumeSlider.Thumb className="player-thumb" />
      </VolumeSlider.Root>
    </div>
  )
}

interface PlayerControlsProps extends Omit<SettingsMenuProps, 'hasSteps'> {
  steps: readonly PlayerStep[]
  cuts: Cuts
}

export function PlayerControls({ steps, cuts, ...menu }: PlayerControlsProps) {
  const { hasKeys } = usePlayerSettings()
  const hasSteps = steps.length > 0
  return (
    <>
      <BigPlayButton />
      <Controls.Root>
        <Controls.Backdrop className="player-backdrop" />
        <Controls.Content className="player-controls">
          <SeekBar {...{ steps, cuts }} />
          <Controls.Group className="player-bar" dir="ltr" aria-label={m.playback_controls()}>
            <PlayPause />
            {hasSteps && <StepButtons steps={steps} hasKeys={hasKeys} />}
            <VolumeControl />
            <Time.Group className="player-time">
              <Time.Value type="current" />
              <Time.Separator className="player-time-separator" />
              <Time.Value type="duration" />
            </Time.Group>
            <CurrentStepName steps={steps} />
            <RateMenu />
            <CaptionsButton
              className="player-button"
              render={(button, { subtitlesShowing }) => (
                <button {...button}>{subtitlesShowing ? <Captions aria-hidden /> : <CaptionsOff aria-hidden />}</button>
              )}
            />
            <SettingsMenu {...menu} hasSteps={hasSteps} />
            <PiPButton className="player-button player-pip">
              <PictureInPicture2 aria-hidden />
            </PiPButton>
            <FullscreenButton
              className="player-button"
              render={(button, { fullscreen }) => (
                <button {...button}>{fullscreen ? <Minimize aria-hidden /> : <Maximize aria-hidden />}</button>
              )}
            />
          </Controls.Group>
        </Controls.Content>
      </Controls.Root>
    </>
  )
}
