import { useEffect, useEffectEvent } from 'react'
import { LiveEvent, LiveTicketAnswer } from '#contract/live.ts'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { openLiveSocket } from './live-socket.ts'

/** A ticket that opens a module's socket for a signed-in person. */
async function loadTicket(callApi: CallApi, moduleId: string): Promise<string> {
  const path = `/api/modules/${encodeURIComponent(moduleId)}/live-ticket`
  return (await callApi({ path, method: 'POST', schema: LiveTicketAnswer })).ticket
}

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
    return openLiveSocket({
      moduleId,
      loadTicket: () => handleTicket(),
      readEvent: (json) => LiveEvent.safeParse(json).data ?? null,
      onEvent: (event) => handleEvent(event),
    })
  }, [moduleId, enabled])
}
