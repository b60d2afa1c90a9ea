import { Keyboard, Link, Settings } from 'lucide-react'
import { type ReactNode, type SyntheticEvent, useId, useRef } from 'react'
import * as m from '#messages'
import { type CaptionSize, changeSettings, RATES, usePlayerSettings } from './player-settings.ts'
import { usePlayer } from './player-store.ts'
import './player-panel.css'

export interface SettingsMenuProps {
  /** Without steps there is nothing to practise. */
  hasSteps: boolean
  hasCaptions: boolean
  /** Choices of one training alone. */
  settings: ReactNode
  isLooping: boolean
  onLoop: (isLooping: boolean) => void
  /** Undefined where there is no address to give away. */
  onCopyLink: (() => void) | undefined
  onShowKeys: () => void
}

export function SettingsMenu(props: SettingsMenuProps) {
  const { hasSteps, hasCaptions, settings, isLooping, onLoop, onCopyLink, onShowKeys } = props
  const { pausesAtStepEnds, isFastInPauses, captionSize } = usePlayerSettings()
  const face = (
    <>
      <Settings aria-hidden="true" />
      <span className="sr-only">{m.settings()}</span>
    </>
  )
  return (
    <PlayerPanel label={m.settings()} face={face}>
      {hasSteps && (
        <>
          <PanelChoice type="checkbox" label={m.loop_this_step()} isOn={isLooping} onChange={onLoop} />
          <PanelChoice
            type="checkbox"
            label={m.pause_after_each_step()}
            isOn={pausesAtStepEnds}
            onChange={(isOn) => changeSettings({ pausesAtStepEnds: isOn })}
          />
          <hr className="player-panel-line" />
        </>
      )}
      {hasCaptions && (
        <>
          <PanelChoice
            type="checkbox"
            label={m.faster_in_pauses()}
            isOn={isFastInPauses}
            onChange={(isOn) => changeSettings({ isFastInPauses: isOn })}
          />
          <PanelSelect
            label={m.caption_size()}
            options={SIZES}
            value={captionSize}
            onChange={(size) => changeSettings({ captionSize: size })}
          />
          <hr className="player-panel-line" />
        </>
      )}
      {settings}
      {onCopyLink !== undefined && (
        <PanelButton onPress={onCopyLink}>
          <Link aria-hidden="true" />
          {m.copy_link_at_this_time()}
        </PanelButton>
      )}
      <PanelButton onPress={onShowKeys}>
        <Keyboard aria-hidden="true" />
        {m.keyboard_shortcuts()}
      </PanelButton>
    </PlayerPanel>
  )
}

const SIZES: Record<CaptionSize, string> = {
  small: m.small(),
  medium: m.medium(),
  large: m.large(),
  largest: m.very_large(),
}

export function RateMenu() {
  const store = usePlayer()
  const chosen = usePlayer((state) => state.playbackRate)
  const group = useId()
  return (
    <PlayerPanel
      label={m.playback_speed()}
      className="player-rate"
      face={
        <>
          <span className="sr-only">{m.playback_speed()} </span>
          {chosen}×
        </>
      }
    >
      {RATES.map((rate) => (
        <PanelChoice
          key={rate}
          type="radio"
          group={group}
          label={rate === 1 ? m.normal_speed() : `${rate}×`}
          isOn={rate === chosen}
          onChange={() => store.setPlaybackRate(rate)}
        />
      ))}
    </PlayerPanel>
  )
}

/** Between the panel and its button, and between it and the edges of the window. */
const GAP_PX = 8

interface PlayerPanelProps {
  /** Names the button and what it opens. */
  label: string
  /** What the button shows. */
  face: ReactNode
  className?: string
  children: ReactNode
}

/**
 * A button of the control bar with a panel of choices. The browser's own popover, since the frame of the video would
 * cut off anything else: it closes on Escape and on a press beside it, and gives the focus back.
 */
function PlayerPanel({ label, face, className = '', children }: PlayerPanelProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  function place(event: SyntheticEvent<HTMLDivElement>) {
    const isOpen = event.currentTarget.matches(':popover-open')
    button.current?.setAttribute('aria-expanded', String(isOpen))
    if (isOpen && button.current !== null) placePanel(event.currentTarget, button.current)
    else delete event.currentTarget.dataset['placed']
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`player-button ${className}`}
        aria-expanded={false}
        aria-controls={id}
        popoverTarget={id}
      >
        {face}
      </button>
      <div id={id} popover="auto" role="group" aria-label={label} className="player-panel" onToggle={place}>
        {children}
      </div>
    </>
  )
}

/** Above the button where there is room, else wherever all of it can be seen. */
function placePanel(panel: HTMLElement, button: HTMLElement): void {
  const anchor = button.getBoundingClientRect()
  const { width, height } = panel.getBoundingClientRect()
  const left = Math.min(anchor.right - width, window.innerWidth - width - GAP_PX)
  panel.style.left = `${Math.max(GAP_PX, left)}px`
  const top = Math.min(anchor.top - height - GAP_PX, window.innerHeight - height - GAP_PX)
  panel.style.top = `${Math.max(GAP_PX, top)}px`
  panel.dataset['placed'] = ''
}

interface PanelChoiceProps {
  label: string
  type: 'checkbox' | 'radio'
  /** Of radios that exclude each other. */
  group?: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}

function PanelChoice({ label, type, group, isOn, onChange }: PanelChoiceProps) {
  return (
    <label className="player-panel-item">
      <input type={type} name={group} checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  )
}

interface PanelSelectProps<Value extends string> {
  label: string
  options: Readonly<Record<Value, string>>
  value: Value
  onChange: (value: Value) => void
}

/** One of several values. The browser's own list, which fits the smallest screen. */
export function PanelSelect<Value extends string>({ label, options, value, onChange }: PanelSelectProps<Value>) {
  return (
    <label className="player-panel-item">
      <span className="grow">{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
        {Object.entries<string>(options).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Does something and is done with the panel. */
function PanelButton({ onPress, children }: { onPress: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className="player-panel-item"
      onClick={({ currentTarget }) => {
        currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
        onPress()
      }}
    >
      {children}
    </button>
  )
}
