import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The shapes of an icon are its children one by one, so they need no keys; random texts do not compress. */
const withoutIconKeys: Plugin = {
  name: 'without-icon-keys',
  transform: {
    filter: { id: /\/lucide-react\/dist\/esm\/icons\// },
    handler: (code) => ({ code: code.replaceAll(/,\s*key: "\w+"/g, ''), map: null }),
  },
}

/**
 * The share page alone, from the same sources as the app but on Preact: learners open it on phones, and react-dom by
 * itself would be three times of all that it has to load. Goes into the folder of the app's own build, after it.
 */
export default defineConfig({
  root: 'web',
  envDir: '..',
  plugins: [react(), tailwindcss(), withoutIconKeys],
  resolve: {
    // In this order.
    alias: [
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react-dom$/, replacement: 'preact/compat' },
      { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
      { find: /^react$/, replacement: 'preact/compat' },
      { find: /^\.\.\/createLucideIcon\.mjs$/, replacement: resolve('web/app/share/plain-icon.ts') },
      { find: /^react-error-boundary$/, replacement: resolve('web/app/share/plain-error-boundary.ts') },
    ],
    // Another package brings one of its own.
    dedupe: ['preact'],
  },
  build: {
    outDir: resolve(process.env['ADAPT_SITE_DIR'] ?? 'dist'),
    emptyOutDir: false,
    copyPublicDir: false,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: resolve('web/share.html'),
      output: {
        codeSplitting: {
          // One file for all that the page begins with: two that share their parts are packed less well.
          groups: [{ name: 'start', test: /web[\\/]app[\\/]share[\\/]share-app\.tsx$/ }],
        },
      },
    },
  },
})
