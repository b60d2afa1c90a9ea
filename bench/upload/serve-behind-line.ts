import { join } from 'node:path'
import type { ServedWorker } from '../shared/serve.ts'
import { serveProduct } from '../shared/serve-product.ts'
import { type Line, openLine, type Pace } from './open-line.ts'

export interface ServedProduct extends ServedWorker {
  line: Line
  /** The page, at the far end of the line. */
  pageUrl: string
}

interface Serving {
  stateFolder: string
  /** The built page. */
  assets: string
  openPace: () => Pace
  answerDelayMs?: number
}

/** The product's worker with simulated models, behind a line: page, API and storage are at the same end of it. */
export async function serveBehindLine({ stateFolder, assets, ...pace }: Serving): Promise<ServedProduct> {
  let workerPort = 0
  const line = await openLine({ toPort: () => workerPort, ...pace })
  const pageUrl = `http://localhost:${line.port}/`
  const vars = {
    APP_ORIGINS: pageUrl.slice(0, -1),
    R2_S3_ENDPOINT: `${pageUrl}cdn-cgi/local/r2/s3/adapt-media`,
  }
  const worker = await serveProduct({ entrypoint: join(import.meta.dirname, 'worker.ts'), stateFolder, assets, vars })
  workerPort = Number(new URL(worker.url).port)
  return {
    ...worker,
    line,
    pageUrl,
    stop: async () => {
      await line.close()
      await worker.stop()
    },
  }
}
