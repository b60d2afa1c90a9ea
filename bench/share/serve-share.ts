import { execFile } from 'node:child_process'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import type { ServedWorker } from '../shared/serve.ts'
import { serveProduct } from '../shared/serve-product.ts'

const REPO = join(import.meta.dirname, '../..')
/** Builds the share page as it is deployed. */
export async function buildShare(folder: string): Promise<void> {
  await build({
    configFile: join(REPO, 'vite.share.config.ts'),
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true },
  })
  for (const name of ['theme.js', 'favicon.svg']) await copyFile(join(REPO, 'web/public', name), join(folder, name))
}

/** The product with one shared module that is done. */
export async function serveShare(stateFolder: string, assets: string): Promise<ServedWorker> {
  const worker = await serveProduct({ entrypoint: join(import.meta.dirname, 'worker.ts'), stateFolder, assets })
  await put(`${worker.url}/api/bench/video`, 'web/public/sample/adapt-sample.mp4', 'video/mp4')
  await plantPoster(worker.url, stateFolder)
  return worker
}

/** A poster as the upload page draws it: 1280 × 720 in WebP. */
async function plantPoster(url: string, stateFolder: string): Promise<void> {
  const file = join(stateFolder, 'poster.webp')
  const video = join(REPO, 'web/public/sample/adapt-sample.mp4')
  await promisify(execFile)('ffmpeg', `-v error -y -i ${video} -frames:v 1 -vf scale=1280:720 ${file}`.split(' '))
  await put(`${url}/api/bench/poster`, file, 'image/webp')
}

async function put(url: string, path: string, contentType: string): Promise<void> {
  const body = await readFile(path.startsWith('/') ? path : join(REPO, path))
  const answer = await fetch(url, { method: 'PUT', body, headers: { 'content-type': contentType } })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
}
