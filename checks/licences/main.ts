// `npm run check:licences`: whether the lists of what ships are true and everything in them may ship.
// `npm run generate:licences` writes them.
import { readFileSync, writeFileSync } from 'node:fs'
import { findShipped } from './find-shipped.ts'
import { isAllowed } from './judge-licence.ts'
import { readPackage } from './read-package.ts'
import { writeNotices, writeTable } from './write-lists.ts'

const shipped = await findShipped(process.cwd())
const packages = [...shipped]
  .map(([dir, bundles]) => readPackage(dir, bundles))
  .toSorted((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1))

const refused = packages.filter(({ licence }) => !isAllowed(licence))
for (const { name, version, licence, source } of refused) {
  console.error(`${name} ${version} ships and may not: its licence is "${licence}" (${source})`)
}

const lists = { 'docs/licences.md': writeTable(packages), 'web/public/licences.txt': writeNotices(packages) }
for (const [file, text] of Object.entries(lists)) {
  if (process.argv.includes('--write')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} is not what ships any more: npm run generate:licences`)
    process.exitCode = 1
  }
}
if (refused.length > 0) process.exitCode = 1
