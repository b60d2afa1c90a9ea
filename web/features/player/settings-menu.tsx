import { Menu } from '@videojs/react'
import { Check, Keyboard, Link, Settings } from 'lucide-react'
import { changeSettings, usePlayerSettings } from './player-settings.ts'

export interface SettingsMenuProps {
  /** Without steps there is nothing to practise. */
  hasSteps: boolean
  isLooping: boolean
  onLoop: (isLooping: boolean) => void
  /** Undefined where there is no address to give away. */
  onCopyLink: (() => void) | undefined
  onShowKeys: () => void
}

export function SettingsMenu({ hasSteps, isLooping, onLoop, onCopyLink, onShowKeys }: SettingsMenuProps) {
  const { pausesAtStepEnds } = usePlayerSettings()
  return (
    <Menu.Root side="top" align="end">
      <Menu.Trigger className="player-button" aria-label="Settings">
        <Settings aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Popup className="player-menu">
        <Menu.Content>
          {hasSteps && (
            <>
              <Choice label="Loop this step" isOn={isLooping} onChange={onLoop} />
              <Choice
                label="Pause after each step"
                isOn={pausesAtStepEnds}
                onChange={(isOn) => changeSettings({ pausesAtStepEnds: isOn })}
              />
              <Menu.Separator className="player-menu-line" />
            </>
          )}
          {onCopyLink !== undefined && (
            <Menu.Item className="player-menu-item" onSelect={onCopyLink}>
              <Link aria-hidden="true" className="size-4" />
              Copy link at this time
            </Menu.Item>
          )}
          <Menu.Item className="player-menu-item" onSelect={onShowKeys}>
            <Keyboard aria-hidden="true" className="size-4" />
            Keyboard shortcuts
          </Menu.Item>
        </Menu.Content>
      </Menu.Popup>
    </Menu.Root>
  )
}

interface ChoiceProps {
  label: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}

function Choice({ label, isOn, onChange }: ChoiceProps) {
  return (
    <Menu.CheckboxItem className="player-menu-item" checked={isOn} onCheckedChange={onChange}>
      <span className="player-menu-check">
        <Check aria-hidden="true" />
      </span>
      {label}
    </Menu.CheckboxItem>
  )
}
