import { useEffect, useState, useSyncExternalStore } from 'react'
import { ConnectionMonitor } from './connection-monitor.ts'
import type { ConnectionSpeed } from './connection-speed.ts'

export interface Connection {
  speed: ConnectionSpeed
  /** Null before the first test. */
  testedAtMs: number | null
  test: () => void
}

export function useConnectionSpeed({ isSignedIn }: { isSignedIn: boolean }): Connection {
  const [monitor] = useState(() => new ConnectionMonitor())
  useEffect(() => monitor.start(), [monitor])
  useEffect(() => monitor.setSignedIn(isSignedIn), [monitor, isSignedIn])
  return { ...useSyncExternalStore(monitor.subscribe, monitor.getState), test: monitor.test }
}
