import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { writeSiteHeaders } from '../../web/build/site-headers.ts'

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
  await writeFile(join(folder, '_headers'), writeSiteHeaders(settings, []))
}
