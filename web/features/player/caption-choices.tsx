import { PanelSelect } from './player-panel.tsx'
import { type CaptionLook, type CaptionSize, changeSettings, usePlayerSettings } from './player-settings.ts'

const SIZES: readonly (readonly [CaptionSize, string])[] = [
  ['small', 'Small'],
  ['medium', 'Medium'],
  ['large', 'Large'],
  ['largest', 'Very large'],
]
const LOOKS: readonly (readonly [CaptionLook, string])[] = [
  ['dark', 'White on black'],
  ['yellow', 'Yellow on black'],
  ['light', 'Black on white'],
  ['bare', 'Without a box'],
]

/** How captions look, for all videos. */
export function CaptionChoices() {
  const { captionSize, captionLook } = usePlayerSettings()
  return (
    <>
      <PanelSelect
        label="Caption size"
        options={SIZES}
        value={captionSize}
        onChange={(size) => changeSettings({ captionSize: size })}
      />
      <PanelSelect
        label="Caption colors"
        options={LOOKS}
        value={captionLook}
        onChange={(look) => changeSettings({ captionLook: look })}
      />
    </>
  )
}
