import fc from 'fast-check'
import { hostileText } from './hostile.ts'

/** Those who call, and the modules that they call about. */
export interface World {
  /** Bearer tokens; the owner's are all of the modules. */
  tokens: Record<'owner' | 'stranger', string>
  /** What stands in cases for what is known only once it was planted. */
  names: Record<WorldName, string>
}

const WORLD_NAMES = [
  // Modules: done and shared; done and hidden; still on its way in parts; failed; two that may be deleted.
  'ready',
  'hidden',
  'sending',
  'failed',
  'doomed',
  'doomedUpload',
  'readyKey',
  'sendingKey',
  'segment',
  'segmentText',
  'liveTicket',
  'videoTicket',
  // Tokens of a learner of the module that is done and shared.
  'session',
  'learner',
  // Where everybody calls from; limits count by it.
  'address',
] as const
export type WorldName = (typeof WORLD_NAMES)[number]

export const MODULE_NAMES = ['ready', 'hidden', 'sending', 'failed'] as const satisfies readonly WorldName[]

const stands = (name: WorldName) => `@${name}@`

/** The same text about the modules of a world. */
export function fillText(text: string, { names }: World): string {
  return text.replaceAll(/@(\w+)@/g, (whole, name: string) => names[name as WorldName] ?? whole)
}

export const moduleId: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constant(stands('ready')), weight: 8 },
  { arbitrary: fc.constantFrom(...MODULE_NAMES.map(stands)), weight: 6 },
  { arbitrary: fc.constant('x'.repeat(22)), weight: 1 },
  { arbitrary: hostileText(), weight: 1 },
)

/** Steps that a planted module has. */
const stepId = fc.constantFrom('a', 'b', 'c', 'd')
const early = fc.integer({ min: 0, max: 400 }).map((tenths) => tenths / 10)

/** Values that mean something in the planted modules, by the name of the field or parameter. */
export const MEANT: Record<string, fc.Arbitrary<unknown>> = {
  moduleId,
  // The collection has the id of the module that is done and shared.
  collectionId: moduleId,
  personId: moduleId,
  groupId: moduleId,
  stepId,
  segmentId: fc.constant(stands('segment')),
  id: fc.oneof(stepId, fc.constant(stands('segment'))),
  key: fc.constantFrom(stands('readyKey'), stands('sendingKey')),
  name: fc.constantFrom('poster', 'step-0', 'step-6000', 'step-999999999'),
  turnId: fc.constantFrom('turn-number-1', 'turn-number-2'),
  session: fc.constant(stands('session')),
  learner: fc.constant(stands('learner')),
  claim: fc.constant(stands('learner')),
  pseudonym: fc.constant('0'.repeat(32)),
  email: fc.constantFrom('anna@example.com', null),
  checkpointEmail: fc.constantFrom('anna@example.com', null),
  url: moduleId.map((id) => `http://localhost:8787/share/${id}`),
  start: early,
  end: early.map((seconds) => seconds + 60),
  language: fc.constantFrom('en', 'de-CH', null),
  version: fc.constantFrom(0, 1, 2),
}
