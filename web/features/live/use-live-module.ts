import { useEffect, useEffectEvent } from 'react'
import { LiveEvent, LiveTicketAnswer } from '#contract/live.ts'
import { useApi } from '#web/lib/api.ts'
import { type LiveSocketOptions, openLiveSocket } from './live-socket.ts'

interface LiveModuleOptions extends Pick<LiveSocketOptions, 'moduleId' | 'onEvent'> {
  /** False until the module is known to exist, so that a wrong link never asks for tickets. */
  enabled: boolean
}

/** Calls back whenever the module moves on. Pages poll as well, so nothing depends on the socket working. */
export function useLiveModule({ moduleId, enabled, onEvent }: LiveModuleOptions): void {
  const callApi = useApi()
  const handleEvent = useEffectEvent(onEvent)
  const loadTicket = useEffectEvent(async () => {
    const path = `/api/modules/${encodeURIComponent(moduleId)}/live-ticket`
    return (await callApi({ path, method: 'POST', schema: LiveTicketAnswer })).ticket
  })
  useEffect(() => {
    if (!enabled || typeof WebSocket === 'undefined') return
    return openLiveSocket({
      moduleId,
      loadTicket: () => loadTicket(),
      readEvent: (json) => LiveEvent.safeParse(json).data ?? null,
      onEvent: (event) => handleEvent(event),
    })
  }, [moduleId, enabled])
}
