import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build, type Plugin, type Rolldown } from 'vite'

/** Folders of packages, each with the bundles that hold something of it. */
export type Shipped = Map<string, Set<Bundle>>

/** What goes to browsers, and what runs at the edge. */
export type Bundle = 'pages' | 'share page' | 'worker'

/** The folder of the package that a file belongs to, also of one that lies inside another package. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/

/** Tailwind writes its own base styles into ours, and a banner before them. */
const BANNER = /\/\*! ([a-z-]+) v[\d.]+ \|/g

/** Builds everything that is deployed, without keeping it, and lists whose code and files are in it. */
export async function findShipped(root: string): Promise<Shipped> {
  const shipped: Shipped = new Map()
  const note = (bundle: Bundle) => (file: string) => {
    const dir = PACKAGE.exec(resolve(root, file))?.[0]
    if (dir !== undefined) shipped.set(dir, (shipped.get(dir) ?? new Set()).add(bundle))
  }
  await Promise.all([
    buildPages(join(root, 'vite.config.ts'), note('pages')),
    buildPages(join(root, 'vite.share.config.ts'), note('share page')),
    buildPages(join(root, 'vite.kept.config.ts'), note('share page')),
    buildWorker(root, note('worker')),
  ])
  return shipped
}

type Note = (file: string) => void

async function buildPages(configFile: string, note: Note): Promise<void> {
  const collect: Plugin = {
    name: 'collect-shipped',
    generateBundle(_, bundle) {
      for (const output of Object.values(bundle)) for (const file of filesOf(output)) note(file)
    },
  }
  await build({
    configFile,
    logLevel: 'error',
    plugins: [collect],
    // Web workers are bundles of their own.
    worker: { plugins: () => [collect] },
    build: { write: false, minify: false, reportCompressedSize: false },
  })
}

function filesOf(output: Rolldown.OutputAsset | Rolldown.OutputChunk): string[] {
  if (output.type === 'chunk') {
    const modules = Object.entries(output.modules).filter(([, { renderedLength }]) => renderedLength > 0)
    return modules.map(([id]) => fileOf(id))
  }
  const styles = output.fileName.endsWith('.css') ? output.source.toString() : ''
  const banners = [...styles.matchAll(BANNER)].map(([, name]) => `node_modules/${name}/index.css`)
  // Named from the folder of the pages.
  return [...output.originalFileNames.map((name) => join('web', name)), ...banners]
}

/** The bundler's own helpers have names like `\0vite/preload-helper.js`. */
function fileOf(moduleId: string): string {
  if (!moduleId.startsWith('\0')) return moduleId
  const name = moduleId.slice(1)
  return name.includes('node_modules') ? name : join('node_modules', name)
}

interface Metafile {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>
}

/** With the very command that deploys. */
async function buildWorker(root: string, note: Note): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'adapt-licences-'))
  const site = join(folder, 'site')
  const metafile = join(folder, 'metafile.json')
  mkdirSync(site)
  try {
    const args = ['deploy', '--dry-run', '--outdir', join(folder, 'worker'), '--metafile', metafile, '--assets', site]
    const env = { ...process.env, WRANGLER_LOG: 'error', WRANGLER_SEND_METRICS: 'false' }
    await promisify(execFile)(join(root, 'node_modules/.bin/wrangler'), args, { cwd: root, env })
    const { outputs } = JSON.parse(readFileSync(metafile, 'utf8')) as Metafile
    for (const { inputs } of Object.values(outputs)) {
      for (const [file, { bytesInOutput }] of Object.entries(inputs)) if (bytesInOutput > 0) note(file)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
