import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

const INSTALLED = join(import.meta.dirname, '../../node_modules/@clerk')
const ENTRIES = { 'clerk-js': 'clerk.browser.js', ui: 'ui.browser.js' }

/** Puts Clerk's own scripts beside the built web app, where the stand-in of `local/clerk` serves them from. */
export async function copyClerkScripts(siteDir: string): Promise<void> {
  await Promise.all(
    Object.entries(ENTRIES).map(([name, entry]) =>
      copyScripts({ packageDir: join(INSTALLED, name), entry, targetDir: join(siteDir, 'clerk-scripts', name) }),
    ),
  )
}

interface ScriptCopy {
  packageDir: string
  entry: string
  targetDir: string
}

async function copyScripts({ packageDir, entry, targetDir }: ScriptCopy): Promise<void> {
  const distDir = join(packageDir, 'dist')
  const [names, entryText] = await Promise.all([readdir(distDir), readFile(join(distDir, entry), 'utf8')])
  const chunks = names.filter((name) => belongsTo(entryText, name))
  await rm(targetDir, { recursive: true, force: true })
  await mkdir(targetDir, { recursive: true })
  await Promise.all([entry, ...chunks].map((name) => copyFile(join(distDir, name), join(targetDir, name))))
  // Their licence asks to go with every copy.
  await copyFile(join(packageDir, 'LICENSE'), join(targetDir, 'LICENSE.txt'))
}

// The folder holds several builds; a chunk carries the hash of its own: userprofile_ui_58d0c7_1.36.0.js.
function belongsTo(entryText: string, name: string): boolean {
  const hash = /_(?:ui|clerk\.browser)_([0-9a-f]+)_[^_]*\.js$/.exec(name)?.[1]
  return hash !== undefined && entryText.includes(`"${hash}`)
}
