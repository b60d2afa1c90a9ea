// `npm run fit -- steps|answers`: fits all weights of the engine without a model, and prints what they find in recordings
// that they did not see; `--write` puts them into the product.
import { parseArgs } from 'node:util'
import { fitAnswers } from './answers/fit-tutor-weights.ts'
import { FIT_STEPS_OPTIONS, fitSteps } from './steps/fit-steps.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: FIT_STEPS_OPTIONS })
const fits: Readonly<Record<string, (given: typeof values) => Promise<void>>> = { steps: fitSteps, answers: fitAnswers }
const fit = fits[positionals[0] ?? '']
if (fit === undefined) throw new Error(`Say what to fit: ${Object.keys(fits).join(' or ')}`)
await fit(values)
