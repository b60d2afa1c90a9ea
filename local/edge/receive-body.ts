/**
 * Answers a request once its body has been received to its end, as Cloudflare's edge does. A worker that answers without
 * reading all of a body makes workerd close the connection, and the answer is lost on its way.
 */
export async function answerReceived(
  incomingRequest: Request,
  answer: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  if (incomingRequest.body === null) return answer(incomingRequest)
  const [body, rest] = incomingRequest.body.tee()
  const received = rest.pipeTo(new WritableStream()).catch(() => undefined)
  const whole: RequestInit = { body }
  const request = new Request(incomingRequest, whole)
  const answered = await answer(request)
  // Bytes that stay unread would be kept until the end.
  if (!request.bodyUsed) await request.body?.cancel()
  await received
  return answered
}
