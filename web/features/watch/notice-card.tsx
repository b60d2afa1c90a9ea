import { Card } from '#web/ui/card.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { turnNotices, useNoticeState } from './desktop-notice.ts'

const MEANS = {
  off: 'Otherwise you see it on the pages of Adapt.',
  on: 'Your browser notifies you while Adapt is open in a tab.',
  blocked: 'Your browser blocks notifications of this site; its settings can allow them.',
} as const

/** Turns notifications of the browser about finished modules on and off. Renders nothing where it has none. */
export function NoticeCard() {
  const state = useNoticeState()
  if (state === 'unsupported') return null
  return (
    <Card className="px-4 py-3">
      <Switch
        label="Notify me when a module is ready"
        description={MEANS[state]}
        isOn={state === 'on'}
        onChange={(isOn) => void turnNotices(isOn ? 'on' : 'off')}
      />
    </Card>
  )
}
