import clsx from 'clsx'
import { RefreshCw, Wifi, WifiHigh, WifiLow, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { Badge, type BadgeTone } from '#web/ui/card.tsx'
import { type Connection, type ConnectionSpeed, formatLastTested, SPEED_MESSAGES } from './connection-speed.ts'

const LOOKS: Record<ConnectionSpeed, { label: string; icon: typeof Wifi; tone: BadgeTone }> = {
  fast: { label: m.fast(), icon: Wifi, tone: 'brand' },
  medium: { label: m.medium(), icon: WifiHigh, tone: 'neutral' },
  slow: { label: m.slow(), icon: WifiLow, tone: 'warn' },
  offline: { label: m.offline(), icon: WifiOff, tone: 'danger' },
  testing: { label: m.testing(), icon: Wifi, tone: 'neutral' },
}

/** One word in the bar; its tooltip explains what it means for videos, and screen readers read that too. */
export function CompactNetworkBadge({ speed }: Pick<Connection, 'speed'>) {
  const { label, tone } = LOOKS[speed]
  return (
    <span title={SPEED_MESSAGES[speed]} className="inline-flex">
      <Badge tone={tone}>
        <SpeedIcon speed={speed} className="size-3.5" />
        <span aria-hidden="true" className="max-sm:hidden">
          {label}
        </span>
        <span className="sr-only">{m.connection_speed({ speed: SPEED_MESSAGES[speed] })}</span>
      </Badge>
    </span>
  )
}

export function FullNetworkBadge({ speed, testedAtMs, test }: Connection) {
  const isTesting = speed === 'testing'
  return (
    <div className="flex items-center gap-3 rounded-control bg-sunken px-3 py-2.5">
      <SpeedIcon speed={speed} className={clsx('size-5 shrink-0', speed === 'offline' && 'text-danger')} />
      <div className="min-w-0 flex-1">
        <p aria-live="polite" className="text-sm font-medium">
          {SPEED_MESSAGES[speed]}
        </p>
        <p className="text-sm text-ink-soft">
          {m.last_tested_testedatms({ testedAtMs: formatLastTested(testedAtMs, useNow()) })}
        </p>
      </div>
      <Button
        variant="ghost"
        size="icon"
        aria-label={m.test_the_connection_again()}
        disabled={isTesting || speed === 'offline'}
        onClick={test}
      >
        <RefreshCw aria-hidden="true" className={clsx('size-4', isTesting && 'animate-spin')} />
      </Button>
    </div>
  )
}

/** How often a label in minutes is updated. */
const LABEL_REFRESH_MS = 30_000

function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), LABEL_REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}

function SpeedIcon({ speed, className }: { speed: ConnectionSpeed; className: string }) {
  const Icon = LOOKS[speed].icon
  return <Icon aria-hidden="true" className={clsx(className, speed === 'testing' && 'opacity-60')} />
}
