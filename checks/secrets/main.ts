// `npm run check:secrets`: looks for keys, tokens and passwords in every file that is or would be committed.
import { findSecretsIn, listFiles } from './scan-files.ts'

const files = listFiles('.')
if (files === null) {
  console.log('Secrets: skipped, because this is no working copy of git.')
} else {
  const found = findSecretsIn('.', files)
  for (const line of found) console.error(line)
  if (found.length > 0) {
    console.error('Take it out and revoke it: what was ever committed is known. What is no secret: KNOWN_VALUES.')
  }
  process.exitCode = found.length === 0 ? 0 : 1
}
