/** What is sent to where people look: that health is bad, or that it is well again. */
export interface HealthAlert {
  state: 'bad' | 'well'
  /** The whole of it in a sentence or two, as chats show it. */
  text: string
  /** Since when, ISO 8601. */
  since: string
  /** What `/api/health` says of each part that is bad; empty when all are well. */
  parts: Record<string, string>
  environment: string
  debugUrl: string
}
