import type { ScreenReading } from '#contract/screen.ts'
import { type ScreenedTexts, STEP_ID_MAX_CHARS } from '#contract/step.ts'
import type { Context } from '#worker/core/context.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { listProposals } from '#worker/domain/step/proposal-store.ts'
import {
  listScreenProposals,
  SCREEN_PROPOSAL,
  type ScreenedSteps,
  storeScreened,
} from '#worker/domain/step/screened-store.ts'
import { isTouched, listSteps } from '#worker/domain/step/step-store.ts'
import type { ProposalRow, StepRow } from '#worker/domain/step/tidy-section.ts'
import { readCorrected } from './read-blocks.ts'
import { repairTranscript } from './repair-transcript.ts'
import type { SaidRepair } from './repair-words.ts'
import { screenSteps } from './screen-steps.ts'
import { joinCommands } from './step-commands.ts'

type ReadingContext = Pick<Context, 'db' | 'd1' | 'bucket' | 'rooms' | 'nowMs'>

/**
 * Puts what was read from the screen of a READY module into its transcript and its steps: those that no person has
 * touched change where they stand, for others it is proposed. A module that is not READY gets it when its run ends.
 * @returns whether anything has changed
 */
export async function applyReading(context: ReadingContext, moduleId: string): Promise<boolean> {
  const module = await findModule(context.db, moduleId)
  const reading = module?.status === 'READY' ? await findDoneReading(context, module) : null
  if (module === null || reading === null) return false
  const { isChanged, repairs } = await repairTranscript(context, module, reading)
  const isScreened = await applyToSteps(context, moduleId, repairs)
  if (isChanged || isScreened) await publishModule(context, moduleId)
  return isChanged || isScreened
}

async function applyToSteps(
  context: ReadingContext,
  moduleId: string,
  repairs: readonly SaidRepair[],
): Promise<boolean> {
  for (;;) {
    const module = await findModule(context.db, moduleId)
    const reading = module?.status === 'READY' ? await findDoneReading(context, module) : null
    if (module === null || reading === null) return false
    const [steps, proposals, ofScreen] = await Promise.all([
      listSteps(context.db, moduleId),
      listProposals(context.db, moduleId),
      listScreenProposals(context.db, moduleId),
    ])
    const screened = compareScreened({ module, steps, proposals, ofScreen, repairs }, reading)
    if (screened === null) return false
    // Where the steps have changed meanwhile, they are read again.
    if (await storeScreened(context.d1, { moduleId, nowMs: context.nowMs(), ...screened })) return true
  }
}

/** Finds what counts of a module's screen once reading it has ended; null before. */
export async function findDoneReading(
  context: Pick<Context, 'bucket' | 'db'>,
  module: Pick<ModuleRow, 'id' | 'screenKey'>,
): Promise<ScreenReading | null> {
  const reading = await readCorrected(context, module)
  return reading?.isDone === true ? reading : null
}

interface Unscreened {
  module: Pick<ModuleRow, 'run' | 'stepsVersion'>
  steps: readonly StepRow[]
  /** Open ones. */
  proposals: readonly ProposalRow[]
  /** What an earlier reading has led to be proposed, decided or not. */
  ofScreen: readonly ProposalRow[]
  /** Words of the transcript. */
  repairs: readonly SaidRepair[]
}

/** @returns null where nothing changes */
function compareScreened(
  { module, steps, proposals, ofScreen, repairs }: Unscreened,
  reading: ScreenReading,
): Omit<ScreenedSteps, 'moduleId' | 'nowMs'> | null {
  const changes = <Row extends StepRow | ProposalRow>(rows: readonly Row[]) => listChanged(rows, reading, repairs)
  // Scenes have no name yet.
  const ofRun = proposals.filter(({ id, title }) => title !== '' && !id.startsWith(SCREEN_PROPOSAL))
  const changed = [...changes(steps).filter(({ before }) => !isTouched(before)), ...changes(ofRun)].map(
    ({ now: { id, title, description, commands } }) => ({ id, title, description, commands }),
  )
  const images = screenSteps(steps, reading)
    .filter(({ imageText }, index) => imageText !== steps[index]?.imageText)
    .map(({ id, imageText }) => ({ id, imageText }))
  const proposed = changes(steps)
    .filter(({ before }) => isTouched(before))
    .flatMap(({ before, now }) => proposeBeside(before, now, module.run) ?? [])
  const isProposed = (row: ProposalRow) => proposed.some((each) => each.id === row.id && isSameText(each, row))
  const isAsBefore =
    proposed.every((each) => ofScreen.some((row) => row.id === each.id && isSameText(each, row))) &&
    ofScreen.every((row) => row.decision !== null || isProposed(row))
  const isNothing = changed.length === 0 && images.length === 0 && isAsBefore
  return isNothing ? null : { basedOn: module.stepsVersion, changed, images, proposed }
}

/** The steps that say something else with what the screen shows. */
function listChanged<Row extends StepRow | ProposalRow>(
  rows: readonly Row[],
  reading: ScreenReading,
  repairs: readonly SaidRepair[],
) {
  return screenSteps(rows, reading, repairs)
    .map((now, index) => ({ before: rows[index] as Row, now }))
    .filter(({ before, now }) => !isSameText(before, now))
}

/** Offers what is new beside a person's own commands, which all stay. @returns null where nothing is */
function proposeBeside(before: StepRow, screened: StepRow, run: number): ScreenedSteps['proposed'][number] | null {
  const now = { ...screened, commands: joinCommands(before.commands, screened.commands) }
  if (isSameText(before, now)) return null
  const id = `${SCREEN_PROPOSAL}${now.id}`.slice(0, STEP_ID_MAX_CHARS)
  return { ...now, id, run: now.run ?? run, decision: null, replaced: null }
}

function isSameText(one: ScreenedTexts, other: ScreenedTexts): boolean {
  const textOf = ({ title, description, commands }: ScreenedTexts) => JSON.stringify([title, description, commands])
  return textOf(one) === textOf(other)
}
