import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { build } from 'vite'
import { writeSiteHeaders } from '../../web/build/site-headers.ts'

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }

export interface ServedPage {
  url: string
  stop(): Promise<void>
}

/** Builds the bench's page with the product's own code, as the product is built. */
export async function buildPage(folder: string): Promise<void> {
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'page'),
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir: folder, emptyOutDir: true, target: 'es2022' },
  })
  // Without them the product's worker lets a script load nothing.
  const settings = { publishableKey: undefined, proxyUrl: undefined, storageUrl: undefined }
  await writeFile(join(folder, '_headers'), writeSiteHeaders(settings))
}

/** The same, served on a free port. */
export async function servePage(folder: string): Promise<ServedPage> {
  await buildPage(folder)
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const name = path === '/' ? 'index.html' : path.slice(1)
    try {
      const body = await readFile(join(folder, name))
      response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
