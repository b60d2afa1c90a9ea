import { LiveTicketAnswer } from '#contract/live.ts'
import type { CallApi } from '#web/lib/api-context.tsx'

/** A ticket that opens a module's socket for a signed-in person. */
export async function loadTicket(callApi: CallApi, moduleId: string): Promise<string> {
  const path = `/api/modules/${encodeURIComponent(moduleId)}/live-ticket`
  return (await callApi({ path, method: 'POST', schema: LiveTicketAnswer })).ticket
}
