import { BLANK_STEP, type SaveSteps, type Step, type StepsAnswer, type VersionConflict } from '#contract/step.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { type Answers, makeModuleAnswer, makeProblem, makeStepsAnswer } from './page-harness.tsx'

interface FakeCall {
  body?: SaveSteps
}

/** The steps of module `m1` with the server's rule for saves: a save is stale when another person saved in between. */
export class StepServer {
  steps: Step[]
  version = 1
  editedVersion = 0
  readonly saves: SaveSteps[] = []
  /** Fails every save while it is set. */
  failure: Error | null = null

  constructor(steps: Step[]) {
    this.steps = steps
  }

  /** Saves as another person. */
  saveElsewhere(change: (steps: Step[]) => Step[]): void {
    this.steps = change(this.steps)
    this.version += 1
    this.editedVersion = this.version
  }

  /** The pipeline adds or improves steps. */
  moveOn(change: (steps: Step[]) => Step[]): void {
    this.steps = change(this.steps)
    this.version += 1
  }

  answers(fields: Parameters<typeof makeModuleAnswer>[0] = {}): Answers {
    return {
      'GET /api/modules/m1': () => makeModuleAnswer({ stepsVersion: this.version, ...fields, steps: this.steps }),
      'GET /api/steps/m1': () => this.#read(),
      'POST /api/steps/m1': ({ body }: FakeCall) => this.#save(body ?? { steps: [] }),
      'DELETE /api/steps/m1': () => this.#save({ steps: [] }),
    }
  }

  #read(): StepsAnswer | Error {
    if (this.steps.length === 0 && this.editedVersion === 0) {
      return makeProblem('steps_not_found', 'Steps not found - module processing may have failed')
    }
    return this.#answer()
  }

  #answer(): StepsAnswer {
    const answer = makeStepsAnswer(this.steps)
    return { ...answer, meta: { ...answer.meta, version: this.version, editedVersion: this.editedVersion } }
  }

  #save(request: SaveSteps): StepsAnswer | Error {
    if (this.failure !== null) return this.failure
    if (request.version !== undefined && request.version < this.editedVersion) return this.#conflict()
    this.saves.push(request)
    const before = new Map(this.steps.map((step) => [step.id, step]))
    this.saveElsewhere(() =>
      request.steps.map((step) => {
        const old = before.get(step.id ?? '')
        const now = { ...BLANK_STEP, ...old, ...step, duration: step.end - step.start } as Step
        return { ...now, beforeScreen: old !== undefined && isSameText(now, old) ? old.beforeScreen : null }
      }),
    )
    return this.#answer()
  }

  #conflict(): ApiError {
    const { status, code, message } = makeProblem('version_conflict', 'Someone else saved these steps first.')
    const body: VersionConflict = {
      type: 'about:blank',
      title: 'Someone else saved first',
      status,
      code: 'version_conflict',
      detail: message,
      requestId: 'test',
      success: false,
      error: message,
      steps: this.steps,
      version: this.version,
    }
    return new ApiError({ status, code, message, body })
  }
}

function isSameText(one: Step, other: Step): boolean {
  const textOf = ({ title, description, commands }: Step) => JSON.stringify([title, description, commands])
  return textOf(one) === textOf(other)
}
