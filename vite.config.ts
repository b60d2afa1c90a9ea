import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'
import { writeSiteHeaders } from './web/build/site-headers.ts'

/** Changes only with a dependency, so browsers keep it through every deploy of ours. */
const FRAMEWORK = /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom)[\\/]/

/**
 * The package's `exports` lead to its development build, which shows on its default error page how to
 * write a better one; its production build has no export.
 */
const ROUTER = resolve('node_modules/react-router/dist/production')

/** The worker's variable of the same name; a deployment builds with it. */
const STORAGE_URL = 'R2_S3_ENDPOINT'

/** Cloudflare's asset server reads the file `_headers` of the site. */
function headersFile(mode: string): Plugin {
  return {
    name: 'site-headers',
    generateBundle() {
      const env = loadEnv(mode, import.meta.dirname, ['VITE_', STORAGE_URL])
      const settings = {
        publishableKey: env['VITE_CLERK_PUBLISHABLE_KEY'],
        proxyUrl: env['VITE_CLERK_PROXY_URL'],
        storageUrl: env[STORAGE_URL],
      }
      this.emitFile({ type: 'asset', fileName: '_headers', source: writeSiteHeaders(settings) })
    },
  }
}

export default defineConfig(({ command, mode }) => ({
  root: 'web',
  envDir: '..',
  resolve: {
    alias:
      command === 'build'
        ? [
            { find: /^react-router$/, replacement: `${ROUTER}/index.mjs` },
            { find: /^react-router\/dom$/, replacement: `${ROUTER}/dom-export.mjs` },
          ]
        : [],
  },
  plugins: [react(), tailwindcss(), headersFile(mode)],
  build: {
    outDir: resolve(process.env['ADAPT_SITE_DIR'] ?? 'dist'),
    emptyOutDir: true,
    target: 'es2022',
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'framework', test: FRAMEWORK },
            // Otherwise each icon that two pages share is a file, and a request, of its own.
            { name: 'icons', test: /node_modules[\\/]lucide-react[\\/]/ },
          ],
        },
      },
    },
  },
}))
