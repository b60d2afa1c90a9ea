import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { language } from './web/build/language.ts'

/** The shapes of an icon are its children one by one, so they need no keys; random texts do not compress. */
const withoutIconKeys: Plugin = {
  name: 'without-icon-keys',
  transform: {
    filter: { id: /\/lucide-react\/dist\/esm\/icons\// },
    handler: (code) => ({ code: code.replaceAll(/,\s*key: "\w+"/g, ''), map: null }),
  },
}

/** Parts of the player that nothing draws are left out, and so is what gathers them at run time. */
const withoutUnusedParts: Plugin = {
  name: 'without-unused-parts',
  transform: {
    filter: { id: /\/@videojs\/react\/dist\/.*\/index\.parts\.js$/ },
    handler: (code) => ({
      code: code.replace(/var (\w+) = .*__exportAll\(\{[^}]*\}\);/, 'import * as $1 from "./index.parts.js";'),
      map: null,
    }),
  },
}

/** An operator's way out of a service worker that is wrong (docs/operations.md). */
const IS_KEEP_OFF = process.env['VITE_KEEP'] === 'off'

/**
 * Lists all files of the build for the pages that a device keeps (web/features/kept/plan-copy.ts): a copy has all that its
 * page may load, and outlives the deployment. Each page names the list of its own build.
 */
const keptFiles: Plugin = {
  name: 'kept-files',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const files = Object.values(bundle)
      const sizeOf = (file: (typeof files)[number]) =>
        Buffer.byteLength(file.type === 'chunk' ? file.code : file.source)
      const built = files.filter(({ fileName }) => fileName.startsWith('assets/'))
      const listed = [
        ...built.map((file) => [`/${file.fileName}`, sizeOf(file)]),
        ['/theme.js', 600],
        ['/favicon.svg', 300],
      ]
      const list = this.emitFile({ type: 'asset', name: 'kept-files.json', source: JSON.stringify(listed) })
      for (const file of files) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.html')) continue
        const html = file.source.toString().replace('KEPT_FILES', `/${this.getFileName(list)}`)
        file.source = IS_KEEP_OFF ? html.replace(/<button id="keep".*<\/button>/, '') : html
      }
    },
  },
}

/**
 * The share page alone, from the same sources as the app but on Preact: learners open it on phones, and react-dom by
 * itself would be three times of all that it has to load. Goes into the folder of the app's own build, after it.
 */
export default defineConfig({
  root: 'web',
  envDir: '..',
  plugins: [language(), react(), tailwindcss(), withoutIconKeys, withoutUnusedParts, keptFiles],
  resolve: {
    // In this order.
    alias: [
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react-dom$/, replacement: 'preact/compat' },
      { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
      { find: /^react$/, replacement: 'preact/compat' },
      { find: /^\.\.\/createLucideIcon\.mjs$/, replacement: resolve('web/app/share/plain-icon.ts') },
      ...(IS_KEEP_OFF ? [{ find: /\/kept-worker\.ts(?=\?)/, replacement: '/kept-worker-off.ts' }] : []),
      { find: /^react-error-boundary$/, replacement: resolve('web/app/share/plain-error-boundary.ts') },
    ],
    // Another package brings one of its own.
    dedupe: ['preact'],
  },
  // At the root: a service worker controls pages below its own folder only, and is looked for at one address for ever.
  worker: { rolldownOptions: { output: { entryFileNames: 'kept-worker.js' } } },
  build: {
    outDir: resolve(process.env['ADAPT_SITE_DIR'] ?? 'dist'),
    emptyOutDir: false,
    copyPublicDir: false,
    target: 'es2022',
    modulePreload: false,
    rolldownOptions: {
      input: resolve('web/share.html'),
      output: {
        codeSplitting: {
          // One file for all that the page begins with: two that share their parts are packed less well.
          groups: [
            { name: 'start', test: /web[\\/](share|app[\\/]share[\\/]share-app)\.tsx$/ },
            // What counts learning, and what learners open: of one that is opened by itself, the bundler would add a runtime.
            { name: 'learning-log', test: /share[\\/]device-learner\.ts|learning[\\/](learning-log|send-report)\.ts/ },
          ],
        },
      },
    },
  },
})
