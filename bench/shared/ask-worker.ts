/** A JSON call to one of the bench's workers. */
export async function askWorker<T>(address: string, { post }: { post?: unknown } = {}): Promise<T> {
  const answer = await fetch(address, post === undefined ? {} : { method: 'POST', body: JSON.stringify(post) })
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}
