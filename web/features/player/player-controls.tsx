import {
  CaptionsButton,
  Controls,
  FullscreenButton,
  MuteButton,
  PiPButton,
  PlayButton,
  Time,
  TimeSlider,
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
import { usePlayer } from './player-store.ts'
import { RateMenu } from './rate-menu.tsx'

function BigPlayButton() {
  const isPaused = usePlayer((state) => state.paused)
  const [hasPlayed, setHasPlayed] = useState(false)
  if (!isPaused && !hasPlayed) setHasPlayed(true)
  if (hasPlayed) return null
  return (
    <PlayButton
      className="player-big-play"
      label="Play video"
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
      render={(button, { paused, ended }) => (
        <button {...button}>
          {ended ? (
            <RotateCcw aria-hidden />
          ) : paused ? (
            <Play aria-hidden fill="currentColor" />
          ) : (
            <Pause aria-hidden fill="currentColor" />
          )}
        </button>
      )}
    />
  )
}

function SeekBar() {
  return (
    <TimeSlider.Root className="player-slider player-seek" step={5} largeStep={30}>
      <TimeSlider.Track className="player-track">
        <TimeSlider.Buffer className="player-buffer" />
        <TimeSlider.Fill className="player-fill" />
      </TimeSlider.Track>
      <TimeSlider.Thumb className="player-thumb" />
      <TimeSlider.Preview className="player-preview">
        <TimeSlider.Value type="pointer" />
      </TimeSlider.Preview>
    </TimeSlider.Root>
  )
}

function VolumeControl() {
  return (
    <div className="player-volume">
      <MuteButton
        className="player-button"
        render={(button, { muted, volumeLevel }) => (
          <button {...button}>
            {muted || volumeLevel === 'off' ? (
              <VolumeX aria-hidden />
            ) : volumeLevel === 'high' ? (
              <Volume2 aria-hidden />
            ) : (
              <Volume1 aria-hidden />
            )}
          </button>
        )}
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

function ScreenButtons() {
  return (
    <>
      <CaptionsButton
        className="player-button"
        render={(button, { subtitlesShowing }) => (
          <button {...button}>{subtitlesShowing ? <Captions aria-hidden /> : <CaptionsOff aria-hidden />}</button>
        )}
      />
      <PiPButton className="player-button player-pip">
        <PictureInPicture2 aria-hidden />
      </PiPButton>
      <FullscreenButton
        className="player-button"
        render={(button, { fullscreen }) => (
          <button {...button}>{fullscreen ? <Minimize aria-hidden /> : <Maximize aria-hidden />}</button>
        )}
      />
    </>
  )
}

export function PlayerControls() {
  return (
    <>
      <BigPlayButton />
      <Controls.Root>
        <Controls.Backdrop className="player-backdrop" />
        <Controls.Content className="player-controls">
          <SeekBar />
          <Controls.Group className="player-bar" aria-label="Playback controls">
            <PlayPause />
            <VolumeControl />
            <Time.Group className="player-time">
              <Time.Value type="current" />
              <Time.Separator className="player-time-separator" />
              <Time.Value type="duration" />
            </Time.Group>
            <span className="grow" />
            <RateMenu />
            <ScreenButtons />
          </Controls.Group>
        </Controls.Content>
      </Controls.Root>
    </>
  )
}
