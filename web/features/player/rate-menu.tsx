import { Menu } from '@videojs/react'
import { PlaybackRateRadioGroup } from '@videojs/react/ui/playback-rate-radio-group'
import { Check } from 'lucide-react'

export function RateMenu() {
  return (
    <Menu.Root side="top" align="end">
      <PlaybackRateRadioGroup.Root>
        <Menu.Trigger className="player-button player-rate">
          <span className="sr-only">Playback speed </span>
          <PlaybackRateRadioGroup.Value />
        </Menu.Trigger>
        <Menu.Popup className="player-menu">
          <Menu.Content>
            <PlaybackRateRadioGroup.Options
              renderItem={(props, item) => (
                <Menu.RadioItem {...props} className="player-menu-item">
                  <Menu.ItemIndicator checked={item.checked} forceMount className="player-menu-check">
                    <Check aria-hidden />
                  </Menu.ItemIndicator>
                  {item.label}
                </Menu.RadioItem>
              )}
            />
          </Menu.Content>
        </Menu.Popup>
      </PlaybackRateRadioGroup.Root>
    </Menu.Root>
  )
}
