import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, preview } from 'vite'
import { writeSiteHeaders } from '../../web/build/site-headers.ts'

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
  const served = await preview({
    configFile: false,
    logLevel: 'error',
    build: { outDir: folder },
    preview: { host: '127.0.0.1', port: 0 },
  })
  return { url: served.resolvedUrls?.local[0] ?? '', stop: () => served.close() }
}
