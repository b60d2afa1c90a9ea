import { resolve } from 'node:path'
import { mergeConfig } from 'vite'
import share from './vite.share.config.ts'

/**
 * The page that lists what a device keeps, built like the share page but by itself: built together, their common parts
 * would be files of their own, and the share page would begin with more of them.
 */
export default mergeConfig(share, { build: { rolldownOptions: { input: resolve('web/kept.html') } } })
