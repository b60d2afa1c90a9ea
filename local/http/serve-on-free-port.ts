import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

/** The request and the response of Node, for what a `Response` cannot do, such as a connection that breaks. */
export interface NodeCall {
  incoming: IncomingMessage
  outgoing: ServerResponse
}

/** What a handler returns once it answers through `outgoing`. */
export const ANSWERED_BY_NODE = RESPONSE_ALREADY_SENT

export interface LocalServer {
  origin: string
  /** Ends open connections too. */
  close: () => Promise<void>
}

/**
 * Serves HTTP on this machine alone.
 * @param answer such as the `fetch` of a Hono app
 * @param port any free one by default
 */
export async function serveOnFreePort(
  answer: (request: Request, call: NodeCall) => Response | Promise<Response>,
  port = 0,
): Promise<LocalServer> {
  const fetch = (request: Request, call: unknown) => answer(request, call as NodeCall)
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
      await closed
    },
  }
}
