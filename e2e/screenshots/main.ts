// `npm run screenshots -- --out DIR`: starts Adapt, makes a person with the sample module, and takes a screenshot of every
// screen and state in light and dark, on a desktop, a tablet and two phones. `--url` uses a system that runs already,
// `--only` the images whose name holds a word. `--readme` writes those of README.md instead, as WebP into docs/images.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { ensureChromium, ensureTools, orEnd } from '#local/start/tools.ts'
import { withSystem } from '../with-system.ts'
import { takeReadmeScreenshots } from './readme-screenshots.ts'
import { takeScreenshots } from './take-screenshots.ts'

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'screenshots' },
    url: { type: 'string' },
    only: { type: 'string', default: '' },
    readme: { type: 'boolean', default: false },
  },
})

/** Text stays sharp, and an image is a fraction of its PNG. */
function toWebp(png: string): void {
  const webp = join('docs/images', basename(png).replace(/png$/, 'webp'))
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-quality', '82', '-preset', 'text', webp])
  console.log(webp)
}

mkdirSync(values.out, { recursive: true })
if (values.readme) await orEnd(ensureTools(['ffmpeg']))
const executablePath = await orEnd(ensureChromium())

async function take(address: string): Promise<void> {
  const browser = await chromium.launch({ executablePath })
  try {
    const { out: outDir, only } = values
    if (values.readme) for (const png of await takeReadmeScreenshots({ browser, address, outDir, only })) toWebp(png)
    else await takeScreenshots({ browser, address, outDir, only, report: console.log })
  } finally {
    await browser.close()
  }
}

if (values.url === undefined) {
  const stateDir = mkdtempSync(join(tmpdir(), 'adapt-screenshots-'))
  await withSystem({ repoDir: '.', stateDir }, take).finally(() => rmSync(stateDir, { recursive: true, force: true }))
} else {
  await take(values.url)
}
