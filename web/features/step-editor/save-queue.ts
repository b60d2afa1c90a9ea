import { createStore } from 'zustand/vanilla'
import type { Step, StepsAnswer } from '#contract/step.ts'
import { applyChange, type StepChange } from './step-change.ts'
import { isSameStep } from './step-drafts.ts'

/** The steps as the server last sent them. */
export interface KnownSteps {
  steps: readonly Step[]
  version: number
  editedVersion: number
}

export interface Save {
  change: StepChange
  /** Version that the person had before them when they began; without it, the newest. */
  seenVersion?: number | undefined
  /** The one step that is edited, as it was then: what others did to other steps is no conflict. */
  base?: Step
}

/** Two versions of the list, of which the person chooses one. */
export interface StepConflict {
  mine: readonly Step[]
  theirs: readonly Step[]
}

export type SaveOutcome =
  | { kind: 'saved'; version: number }
  | { kind: 'failed'; error: unknown }
  /** The person took the other version. */
  | { kind: 'dropped' }
  /** The person wants to choose later; nothing has been saved. */
  | { kind: 'held' }

export type ConflictChoice = 'mine' | 'theirs' | 'later'

export interface SaveQueueDeps {
  read(): KnownSteps
  send(change: StepChange, knownSteps: KnownSteps): Promise<StepsAnswer>
  /** Stores the server's answer as the known steps. */
  keep(knownSteps: KnownSteps, answer?: StepsAnswer): Promise<void>
  /** The steps that another person saved, where a failure carries them. */
  readConflict(error: unknown): KnownSteps | null
}

interface QueueState {
  /** In order; the page shows them as if they were saved. */
  changes: readonly StepChange[]
  conflict: StepConflict | null
}

interface Waiting extends Save {
  settle(outcome: SaveOutcome): void
}

/**
 * Saves the changes of one person to the steps of one module, one after the other: the next one carries the version
 * that the last one was answered with. Where another person has saved in between, it waits for a choice.
 */
export class SaveQueue {
  readonly store = createStore<QueueState>(() => ({ changes: [], conflict: null }))
  readonly #deps: SaveQueueDeps
  readonly #ownVersions = new Set<number>()
  #foreignVersion = 0
  #waiting: readonly Waiting[] = []
  #choose: ((choice: ConflictChoice) => void) | null = null
  #isRunning = false

  constructor(deps: SaveQueueDeps) {
    this.#deps = deps
  }

  /** Never rejects: a failure is one of the outcomes. */
  push(save: Save): Promise<SaveOutcome> {
    return new Promise((settle) => {
      this.#wait([...this.#waiting, { ...save, settle }])
      if (!this.#isRunning) void this.#run()
    })
  }

  /** Whether another person has saved since a version that this one has seen. */
  readonly isForeignSince = (version: number) => {
    this.#read()
    return this.#foreignVersion > version
  }

  readonly choose = (choice: ConflictChoice) => this.#choose?.(choice)

  async #run(): Promise<void> {
    this.#isRunning = true
    for (let save = this.#waiting[0]; save !== undefined; save = this.#waiting[0]) {
      const outcome = await this.#attempt(save)
      this.#wait(this.#waiting.slice(1))
      save.settle(outcome)
    }
    this.#isRunning = false
  }

  async #attempt(save: Waiting): Promise<SaveOutcome> {
    let { seenVersion } = save
    while (true) {
      const knownSteps = this.#read()
      if (!this.#isOutdated({ ...save, seenVersion }, knownSteps)) {
        const outcome = await this.#send(save.change, knownSteps)
        if (outcome !== 'conflict') return outcome
      }
      const choice = await this.#ask(save.change)
      if (choice !== 'mine') return { kind: choice === 'theirs' ? 'dropped' : 'held' }
      seenVersion = this.#deps.read().version
    }
  }

  async #send(change: StepChange, knownSteps: KnownSteps): Promise<SaveOutcome | 'conflict'> {
    try {
      const answer = await this.#deps.send(change, knownSteps)
      const { version, editedVersion } = answer.meta
      // Seen once more: what others saved while this was on its way would have refused it.
      this.#ownVersions.add(editedVersion)
      await this.#deps.keep({ steps: answer.steps, version, editedVersion }, answer)
      return { kind: 'saved', version }
    } catch (error) {
      const theirs = this.#deps.readConflict(error)
      if (theirs === null) return { kind: 'failed', error }
      await this.#deps.keep(theirs)
      return 'conflict'
    }
  }

  #read(): KnownSteps {
    const knownSteps = this.#deps.read()
    if (!this.#ownVersions.has(knownSteps.editedVersion)) {
      this.#foreignVersion = Math.max(this.#foreignVersion, knownSteps.editedVersion)
    }
    return knownSteps
  }

  /** The page receives what others save, and a save that carries their version would silently overwrite it. */
  #isOutdated({ base, seenVersion }: Save, { steps }: KnownSteps): boolean {
    if (seenVersion === undefined || this.#foreignVersion <= seenVersion) return false
    const now = steps.find((step) => step.id === base?.id)
    return base === undefined || now === undefined || !isSameStep(now, base)
  }

  #ask(change: StepChange): Promise<ConflictChoice> {
    const theirs = this.#deps.read().steps
    return new Promise((resolve) => {
      this.#choose = (choice) => {
        this.#choose = null
        this.store.setState({ conflict: null })
        resolve(choice)
      }
      this.store.setState({ conflict: { mine: applyChange(theirs, change), theirs } })
    })
  }

  #wait(waiting: readonly Waiting[]): void {
    this.#waiting = waiting
    this.store.setState({ changes: waiting.map(({ change }) => change) })
  }
}
