import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { createServer, type ProxyOptions, type ViteDevServer } from 'vite'
import { siteEnvironment } from './site.ts'
import { addressOf, type StartConfig } from './start-config.ts'

/** Serves the page with hot reload; everything that is not the page comes from the worker. */
export async function startDevPage(config: StartConfig, workerPort: number): Promise<ViteDevServer> {
  // Vite takes the app's settings from the environment of its own process.
  Object.assign(process.env, siteEnvironment(config.env))
  const vite = await createServer({
    configFile: join(config.repoDir, 'vite.config.ts'),
    clearScreen: false,
    logLevel: 'warn',
    server: { host: 'localhost', port: config.port, strictPort: true, proxy: makeProxy(addressOf(workerPort)) },
  })
  return vite.listen()
}

function makeProxy(target: string): Record<string, ProxyOptions> {
  const toWorker: ProxyOptions = { target, ws: true }
  return {
    '^/(api|media|__clerk|cdn-cgi)/': toWorker,
    '^/share/': { ...toWorker, bypass: (request) => (wantsJson(request) ? undefined : request.url) },
  }
}

/** `GET /share/{id}` is a page for a browser, and a call for who asks for JSON. */
function wantsJson({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('application/json') ?? false
}
