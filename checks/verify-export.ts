// Checks an export of training records as its own verify.html does: `npm run verify -- FILE.zip… [HASH]`, with all of its
// ZIP files and the hash of a checkpoint that was kept elsewhere.
import { openAsBlob } from 'node:fs'
import { describeFinding, describeKept, describeRemoved } from '#records/describe-finding.ts'
import { readZip } from '#records/read-zip.ts'
import { findHash, verifyRecords } from '#records/verify-records.ts'

const given = process.argv.slice(2)
const isZip = (path: string) => /\.zip$/i.test(path)
const paths = given.filter(isZip)
const kept = given.find((each) => !isZip(each))
// not-shown: a tool of developers and auditors, in English
if (paths.length === 0) throw new Error('Name the ZIP files of an export: npm run verify -- FILE.zip… [HASH]')
const hash = kept === undefined ? null : findHash(kept)
// not-shown: as above
if (kept !== undefined && hash === null) throw new Error('A checkpoint has a hash of 64 hexadecimal digits')

const files = await Promise.all(paths.map(async (path) => readZip(await openAsBlob(path))))
const { findings, about, end, keptSeq, removedPhotos } = await verifyRecords(files, hash)
for (const finding of findings) console.error(describeFinding(finding))
if (findings.length > 0 || about === null) process.exit(1)
console.log(`Nothing was changed in records ${about.from.seq} to ${about.end.seq}. Hash of the last record: ${end}`)
for (const text of describeRemoved(removedPhotos)) console.log(text)
if (hash !== null) console.log(describeKept(keptSeq))
// Whoever gives a hash asks for it: without it nobody can say that this is the list that was kept.
if (hash !== null && keptSeq === null) process.exitCode = 1
