import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'
import { BUILD_LANGUAGE, language } from './web/build/language.ts'
import { screenEngine } from './web/build/screen-engine.ts'
import { earlyClerkTag, writeSiteHeaders } from './web/build/site-headers.ts'

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
function earlyFiles(mode: string): Plugin {
  const env = loadEnv(mode, import.meta.dirname, ['VITE_', STORAGE_URL])
  const settings = {
    publishableKey: env['VITE_CLERK_PUBLISHABLE_KEY'],
    proxyUrl: env['VITE_CLERK_PROXY_URL'],
    storageUrl: env[STORAGE_URL],
  }
  return {
    name: 'early-files',
    transformIndexHtml() {
      const attrs = earlyClerkTag(settings)
      return attrs === null ? [] : [{ tag: 'script', attrs, injectTo: 'head-prepend' }]
    },
    generateBundle(_, bundle) {
      const files = Object.values(bundle).map(({ fileName, name }) => ({ fileName, ...(name && { name }) }))
      this.emitFile({ type: 'asset', fileName: '_headers', source: writeSiteHeaders(settings, files) })
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
  // There is one of its files for all languages, and the build of English comes last.
  plugins: [language(), react(), tailwindcss(), earlyFiles(mode), BUILD_LANGUAGE === 'en' && screenEngine()],
  // Its default packs a web worker into one script: with the encoders' code, though few videos are converted.
  worker: { format: 'es' },
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
            // What a page load needs in any case comes with all that it imports: a file less is a request less.
            { name: 'start', test: /web[\\/]app[\\/]router\.tsx$/ },
            {
              name: 'account',
              test: /web[\\/]features[\\/]auth[\\/](auth-provider|require-sign-in|account-button)\.tsx$/,
            },
            { name: 'workspace', test: /web[\\/]app[\\/]workspace-root\.tsx$/ },
            // Small things that several pages share, and what those import.
            { name: 'pages', test: /(web[\\/](ui|lib)|contract)[\\/]/, minShareCount: 2 },
          ],
        },
      },
    },
  },
}))
