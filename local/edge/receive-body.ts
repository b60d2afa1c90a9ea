/** More than any JSON that the product reads; larger bodies, such as the parts of a video, are handed on as they come. */
const RECEIVED_MAX_BYTES = 4 * 1024 * 1024

/**
 * Receives a body whole before the worker is asked, as Cloudflare's edge does. A worker that answers without reading a body
 * to its end makes workerd close the connection, and the answer is lost on its way.
 */
export async function receiveBody(request: Request): Promise<Request> {
  const length = request.headers.get('content-length')
  if (request.body === null || length === null || Number(length) > RECEIVED_MAX_BYTES) return request
  const whole = { body: await request.arrayBuffer() }
  return new Request(request, whole)
}
