import { useEffect, useEffectEvent } from 'react'
import type { LiveEvent } from '#contract/live.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { openLiveSocket } from './live-socket.ts'
import { loadTicket } from './load-ticket.ts'

export interface LiveModuleOptions {
  moduleId: string
  /** False until the module is known to exist, so that a wrong link never asks for tickets. */
  enabled: boolean
  onEvent: (event: LiveEvent) => void
}

/** Calls back whenever the module moves on. Pages poll as well, so nothing depends on the socket working. */
export function useLiveModule({ moduleId, enabled, onEvent }: LiveModuleOptions): void {
  const callApi = useApi()
  const handleEvent = useEffectEvent(onEvent)
  const handleTicket = useEffectEvent(() => loadTicket(callApi, moduleId))
  useEffect(() => {
    if (!enabled || typeof WebSocket === 'undefined') return
    const socket = openLiveSocket({
      moduleId,
      loadTicket: () => handleTicket(),
      onEvent: (event) => handleEvent(event),
    })
    return () => socket.close()
  }, [moduleId, enabled])
}
