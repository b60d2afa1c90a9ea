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
    '^/(share|embed)/': { ...toWorker, bypass: (request) => (wantsPage(request) ? '/share.html' : undefined) },
  }
}

/** `GET /share/{id}` is a page for a browser; everything else below it, and whoever asks for JSON, is the worker's. */
function wantsPage({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') ?? false
}
