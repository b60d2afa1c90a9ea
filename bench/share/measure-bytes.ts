import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { MODULE_ID } from './planted.ts'

/** What a learner loads, gzipped, in kB of 1,000 bytes. */
export interface Bytes {
  /** Scripts without which nothing can be seen or pressed. */
  usableScriptKb: number
  /** All that the page can ever load, player and live updates included. */
  allScriptKb: number
  /** Style sheets before the first paint, and all. */
  firstStyleKb: number
  allStyleKb: number
  htmlKb: number
}

export async function measureBytes(site: string, url: string): Promise<Bytes> {
  const html = await (await fetch(`${url}/share/${MODULE_ID}`, { headers: { accept: 'text/html' } })).text()
  const names = await readdir(join(site, 'assets'))
  const isFirst = (name: string) => html.includes(`/assets/${name}`)
  const sizes = async (keep: (name: string) => boolean) => {
    const files = await Promise.all(names.filter(keep).map((name) => readFile(join(site, 'assets', name))))
    return sumKb(files)
  }
  const theme = sumKb([await readFile(join(site, 'theme.js'))])
  return {
    usableScriptKb: theme + (await sizes((name) => name.endsWith('.js') && isFirst(name))),
    allScriptKb: theme + (await sizes((name) => name.endsWith('.js'))),
    firstStyleKb: await sizes((name) => name.endsWith('.css') && isFirst(name)),
    allStyleKb: await sizes((name) => name.endsWith('.css')),
    htmlKb: sumKb([Buffer.from(html)]),
  }
}

function sumKb(files: Buffer[]): number {
  return files.reduce((sum, file) => sum + gzipSync(file).byteLength, 0) / 1000
}
