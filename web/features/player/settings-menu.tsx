import { Keyboard, Link, Settings } from 'lucide-react'
import { CaptionChoices } from './caption-choices.tsx'
import { PanelButton, PanelChoice, PlayerPanel } from './player-panel.tsx'
import { changeSettings, usePlayerSettings } from './player-settings.ts'

export interface SettingsMenuProps {
  /** Without steps there is nothing to practise. */
  hasSteps: boolean
  hasCaptions: boolean
  isLooping: boolean
  onLoop: (isLooping: boolean) => void
  /** Undefined where there is no address to give away. */
  onCopyLink: (() => void) | undefined
  onShowKeys: () => void
}

export function SettingsMenu({ hasSteps, hasCaptions, isLooping, onLoop, onCopyLink, onShowKeys }: SettingsMenuProps) {
  const { pausesAtStepEnds } = usePlayerSettings()
  const face = (
    <>
      <Settings aria-hidden="true" />
      <span className="sr-only">Settings</span>
    </>
  )
  return (
    <PlayerPanel label="Settings" face={face}>
      {hasSteps && (
        <>
          <PanelChoice type="checkbox" label="Loop this step" isOn={isLooping} onChange={onLoop} />
          <PanelChoice
            type="checkbox"
            label="Pause after each step"
            isOn={pausesAtStepEnds}
            onChange={(isOn) => changeSettings({ pausesAtStepEnds: isOn })}
          />
          <hr className="player-panel-line" />
        </>
      )}
      {hasCaptions && (
        <>
          <CaptionChoices />
          <hr className="player-panel-line" />
        </>
      )}
      {onCopyLink !== undefined && (
        <PanelButton onPress={onCopyLink}>
          <Link aria-hidden="true" />
          Copy link at this time
        </PanelButton>
      )}
      <PanelButton onPress={onShowKeys}>
        <Keyboard aria-hidden="true" />
        Keyboard shortcuts
      </PanelButton>
    </PlayerPanel>
  )
}
