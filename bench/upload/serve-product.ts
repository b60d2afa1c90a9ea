import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ServedWorker, serveWorker } from '../pipeline/serve.ts'
import { type Line, openLine, type Pace } from './open-line.ts'

const REPO = join(import.meta.dirname, '../..')

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
export async function serveProduct({ stateFolder, assets, ...pace }: Serving): Promise<ServedProduct> {
  let workerPort = 0
  const line = await openLine({ toPort: () => workerPort, ...pace })
  const pageUrl = `http://localhost:${line.port}/`
  const envFile = join(stateFolder, 'vars.env')
  const vars = {
    APP_ORIGINS: pageUrl.slice(0, -1),
    R2_S3_ENDPOINT: `${pageUrl}cdn-cgi/local/r2/s3/adapt-media`,
    R2_ACCESS_KEY_ID: 'local',
    R2_SECRET_ACCESS_KEY: 'local-only',
    TICKET_SECRET: 'bench-only',
    SPEECH_API_KEY: 'none',
    LANGUAGE_API_KEY: 'none',
  }
  await writeFile(
    envFile,
    Object.entries(vars)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  const wrangler = join(REPO, 'node_modules/wrangler/wrangler-dist/cli.js')
  const migrate = `d1 migrations apply adapt --local --persist-to ${join(stateFolder, 'data')}`.split(' ')
  await promisify(execFile)(process.execPath, [wrangler, ...migrate], { cwd: REPO })
  const entrypoint = join(import.meta.dirname, 'worker.ts')
  const worker = await serveWorker({ config: join(REPO, 'wrangler.toml'), entrypoint, stateFolder, assets, envFile })
  workerPort = Number(new URL(worker.url).port)
  return {
    url: worker.url,
    line,
    pageUrl,
    stop: async () => {
      await line.close()
      await worker.stop()
    },
  }
}
