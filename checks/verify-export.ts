// Checks an export of training records as its own verify.html does: `npm run verify -- FILE.zip [HASH]`, with the hash of a
// checkpoint that was kept elsewhere.
import { openAsBlob } from 'node:fs'
import { describeFinding } from '#records/describe-finding.ts'
import { readZip } from '#records/read-zip.ts'
import { verifyRecords } from '#records/verify-records.ts'

const [path, kept = null] = process.argv.slice(2)
// not-shown: a tool of developers and auditors, in English
if (path === undefined) throw new Error('Name the ZIP file of an export: npm run verify -- FILE.zip [HASH]')

const { findings, about, end } = await verifyRecords(await readZip(await openAsBlob(path)), kept)
for (const finding of findings) console.error(describeFinding(finding))
if (findings.length > 0 || about === null) process.exit(1)
console.log(`Nothing was changed in records ${about.from.seq} to ${about.end.seq}. Hash of the last record: ${end}`)
