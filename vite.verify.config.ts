import { resolve } from 'node:path'
import { defineConfig } from 'vite'
import { language } from './web/build/language.ts'
import { oneFile } from './web/build/one-file.ts'

/** The page that checks exports of training records, one file for each language, which the worker puts into each export. */
export default defineConfig({
  root: 'web',
  envDir: '..',
  plugins: [language(), oneFile],
  build: {
    outDir: resolve(process.env['ADAPT_SITE_DIR'] ?? 'dist'),
    emptyOutDir: false,
    copyPublicDir: false,
    target: 'es2022',
    modulePreload: false,
    rolldownOptions: { input: resolve('web/verify.html') },
  },
})
