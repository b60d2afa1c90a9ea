import { readFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { ENGINE_DATA, ENGINE_FOLDER } from '../features/screen/engine-files.ts'

const PAGES = resolve(import.meta.dirname, '..')
const PACKAGES = resolve(import.meta.dirname, '../../node_modules')
/** The engine takes the fastest that a browser can run. */
const CORES = ['relaxedsimd-lstm', 'simd-lstm', 'lstm'].map(
  (name) => `tesseract.js-core/tesseract-core-${name}.wasm.js`,
)
const DATA = ENGINE_DATA.map((name) => `@tesseract.js-data/${name}/4.0.0_best_int/${name}.traineddata.gz`)
const FILES = ['tesseract.js/dist/worker.min.js', ...CORES, ...DATA]

/**
 * Puts the files of the engine that reads text on screens into the site, as they are.
 * @throws when another version is installed than their folder says
 */
export function screenEngine(): Plugin {
  const { version } = JSON.parse(readFileSync(join(PACKAGES, 'tesseract.js/package.json'), 'utf8')) as {
    version: string
  }
  if (!ENGINE_FOLDER.endsWith(`-${version}`)) throw new Error(`${ENGINE_FOLDER} is not of tesseract.js ${version}`)
  const paths = new Map(FILES.map((file) => [`${ENGINE_FOLDER}/${basename(file)}`, join(PACKAGES, file)]))
  return {
    name: 'screen-engine',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const file = paths.get(request.url ?? '')
        if (file === undefined) return next()
        response.setHeader('content-type', file.endsWith('.js') ? 'text/javascript' : 'application/gzip')
        response.end(readFileSync(file))
      })
    },
    generateBundle() {
      for (const [path, file] of paths)
        this.emitFile({
          type: 'asset',
          fileName: path.slice(1),
          // Lists of what ships find its package by this, from the folder of the pages.
          originalFileName: relative(PAGES, file),
          source: readFileSync(file),
        })
    },
  }
}
