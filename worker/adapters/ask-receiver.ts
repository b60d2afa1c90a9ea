/** How a receiver answered: an HTTP status, or why there is none. */
type Answered = number | 'timeout' | 'unreachable'

/**
 * Posts JSON to an address that a person has set. Redirects are not followed, since they could lead anywhere, and nobody
 * reads the body of the answer. No error quotes the address: it may open the receiver to everybody who has it.
 */
export async function askReceiver(
  url: string,
  { body, headers = {} }: { body: string; headers?: Record<string, string> },
  deadlineMs: number,
): Promise<Answered> {
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal,
    })
    await answer.body?.cancel()
    return answer.status
  } catch {
    return signal.aborted ? 'timeout' : 'unreachable'
  }
}
