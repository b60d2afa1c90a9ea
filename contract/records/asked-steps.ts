import { z } from 'zod'
import { Success } from '../problem.ts'

/** The texts of a step in a version. */
const StepTexts = z.object({ title: z.string(), description: z.string() })

/** A step that is asked of a person again, and why. */
export const AskedStep = StepTexts.extend({
  id: z.string(),
  /** `new` and `changed`: in a version after the one that the person has done. `again`: a supervisor wants to see it. */
  why: z.enum(['new', 'changed', 'again']),
  /** What it said in the version that the person has done; null where it was not there. */
  earlier: StepTexts.nullable(),
  /** What the supervisor says of it; empty without a word. */
  note: z.string(),
})
export type AskedStep = z.infer<typeof AskedStep>

/** Answer of `GET /api/my/trainings/{id}/asked`: steps that are asked again, in their order; none where all of it is. */
export const AskedStepsAnswer = Success.extend({ steps: z.array(AskedStep) })
export type AskedStepsAnswer = z.infer<typeof AskedStepsAnswer>
