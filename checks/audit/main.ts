// `npm run check:audit`: whether vulnerabilities are known in what ships, where the registry can say so.
import { askNpm } from './ask-npm.ts'
import { type Acceptance, judgeAudit } from './judge-audit.ts'

/** None at present. Each needs a reason and a day after which it is looked at again. */
const ACCEPTED: readonly Acceptance[] = []

const { isPassed, lines } = judgeAudit(await askNpm('.'), ACCEPTED, new Date().toISOString().slice(0, 10))
for (const line of lines) console.log(line)
process.exitCode = isPassed ? 0 : 1
