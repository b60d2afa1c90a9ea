import { LiveTicketAnswer } from '#contract/live.ts'
import type { CallApi } from '#web/lib/api-context.tsx'

/** Signed-in people ask at the module, everybody else at its share link, which answers with a public ticket. */
export type TicketSource = 'modules' | 'share'

export async function loadTicket(callApi: CallApi, source: TicketSource, moduleId: string): Promise<string> {
  const path = `/api/${source}/${encodeURIComponent(moduleId)}/live-ticket`
  return (await callApi({ path, method: 'POST', schema: LiveTicketAnswer })).ticket
}
