import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bundle } from './find-shipped.ts'

/** A package of which something ships. */
export interface ShippedPackage {
  name: string
  version: string
  /** As an SPDX expression; empty where the package says none. */
  licence: string
  /** Where its source is. */
  source: string
  /** The texts that its licence asks to keep. */
  notice: string
  bundles: Bundle[]
}

interface Manifest {
  name: string
  version: string
  license?: unknown
  author?: string | { name?: string }
  repository?: string | { url?: string }
}

const NOTICE_FILE = /^(?:licen[cs]e|copying|notice)(?:\.(?:md|txt))?$/i

/** Bundlers list after their own licence those of all that they are made of; of that nothing ships. */
const BUNDLED = /^#+ Licenses of bundled dependencies$/m

/** What a package says of itself. */
export function readPackage(dir: string, bundles: Iterable<Bundle>): ShippedPackage {
  const manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest
  const licence = typeof manifest.license === 'string' ? manifest.license : ''
  return {
    name: manifest.name,
    version: manifest.version,
    licence,
    source: sourceOf(manifest),
    notice: readNotice(dir) || describeNotice(manifest, licence),
    bundles: [...bundles].toSorted(),
  }
}

function sourceOf({ name, repository }: Manifest): string {
  const url = (typeof repository === 'string' ? repository : repository?.url) ?? ''
  // `git+https://….git`, `git://…` and `owner/name` are all in use.
  const path = /^(?:.*github\.com[/:])?([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(url.replace(/^github:/, ''))?.[1]
  return path === undefined ? `https://www.npmjs.com/package/${name}` : `https://github.com/${path}`
}

function readNotice(dir: string): string {
  const files = readdirSync(dir).filter((file) => NOTICE_FILE.test(file))
  const texts = files.map((file) => readFileSync(join(dir, file), 'utf8').split(BUNDLED)[0] ?? '')
  return texts
    .map((text) =>
      text
        .replaceAll('\r\n', '\n')
        .replaceAll(/[ \t]+$/gm, '')
        .trim(),
    )
    .join('\n\n')
}

function describeNotice({ author }: Manifest, licence: string): string {
  const name = (typeof author === 'string' ? author.replace(/ <.*/, '') : author?.name) ?? 'its authors'
  return `Copyright (c) ${name}. The package holds no text of its licence: https://spdx.org/licenses/${licence}.html`
}
